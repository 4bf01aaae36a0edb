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
        OptionValues.Check<AsyncProbeOptions>(section, "AsyncProbe", AddOn);
        try
        {
            section.Bind(options);
        }
        catch (InvalidOperationException e)
        {
            // A value inside a list or a rule. The binder names key, value and type, but not whose configuration it read.
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

    // "AsyncProbe=false" in the environment would have no effect, and the operator would never know.
    private static void RefuseValue(IConfigurationSection section)
    {
        if (!string.IsNullOrEmpty(section.Value))
        {
            throw new OptionsValidationException(
                Section,
                typeof(AsyncProbeOptions),
                [$"AsyncProbe is set to '{section.Value}', but it is a section of the configuration and has no value. Set an option in it "
                    + "instead, for example AsyncProbe:Enabled."]);
        }
    }
}
