using AsyncProbe.Common;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Wiring;

/// <summary>Binds the section <c>AsyncProbe</c>, and fills in the defaults that depend on the environment.</summary>
internal sealed class AsyncProbeOptionsSetup(IServiceProvider services)
    : IConfigureOptions<AsyncProbeOptions>, IPostConfigureOptions<AsyncProbeOptions>
{
    private const string Section = "AsyncProbe";

    // Bound and checked by the add-on package of that name.
    private const string AddOn = "StackSnapshots";

    public void Configure(AsyncProbeOptions options)
    {
        if (services.GetService<IConfiguration>()?.GetSection(Section) is not { } section)
        {
            return;
        }

        RefuseValue(section);
        RefuseUnknownNames(section);
        try
        {
            section.Bind(options);
        }
        catch (InvalidOperationException e)
        {
            // The binder names key, value and type; that it came from the configuration of AsyncProbe is ours to say.
            throw new OptionsValidationException(
                Section, typeof(AsyncProbeOptions),
                [$"The configuration of AsyncProbe cannot be read. {e.Message} Correct the value or remove it."]);
        }
    }

    public void PostConfigure(string? name, AsyncProbeOptions options)
    {
        var isDevelopment = services.GetService<IHostEnvironment>()?.IsDevelopment() == true;
        options.EmitHeaders ??= isDevelopment;
        options.IncludeStacks ??= isDevelopment;
        options.Detection ??= isDevelopment ? BlockingDetection.Always : BlockingDetection.WhenBlocking;

        // The hook would cost and find nothing, and what it did not find would be taken for Thread.Sleep.
        if (options.Detection != BlockingDetection.Off && services.GetService<CallStacks>() is { NameMethods: false })
        {
            options.Detection = BlockingDetection.Off;
            options.LacksCallSites = true;
        }
    }

    // "AsyncProbe=false" in the environment switches nothing off, and whoever set it would never know.
    private static void RefuseValue(IConfigurationSection section)
    {
        if (!string.IsNullOrEmpty(section.Value))
        {
            throw new OptionsValidationException(
                Section,
                typeof(AsyncProbeOptions),
                [$"AsyncProbe is a section of the configuration, and has the value '{section.Value}'. Set its options, AsyncProbe:Enabled "
                    + "for example, or remove the value."]);
        }
    }

    // A misspelt option that silently keeps its default is found at three in the morning.
    private static void RefuseUnknownNames(IConfigurationSection section)
    {
        var known = typeof(AsyncProbeOptions).GetProperties().Select(p => p.Name).ToHashSet(StringComparer.OrdinalIgnoreCase);
        var unknown = section.GetChildren()
            .Where(child => !known.Contains(child.Key) && !child.Key.Equals(AddOn, StringComparison.OrdinalIgnoreCase)).ToList();
        if (unknown.Count > 0)
        {
            throw new OptionsValidationException(
                Section,
                typeof(AsyncProbeOptions),
                unknown.Select(
                    child => $"{child.Path} (value '{child.Value}') is not an option of AsyncProbe. Known "
                        + $"are: {string.Join(", ", known.Order())}."));
        }
    }
}
