using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Wiring;

/// <summary>Binds the configuration section <c>AsyncProbe</c>, and sets the defaults that depend on the environment.</summary>
internal sealed class AsyncProbeOptionsSetup(IServiceProvider services)
    : IConfigureOptions<AsyncProbeOptions>, IPostConfigureOptions<AsyncProbeOptions>
{
    private const string Section = "AsyncProbe";

    // The add-on package of that name binds and checks it.
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
            // A value inside a list or a rule. The binder's message names the key, value and type, but doesn't say that they belong to
            // AsyncProbe.
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
    }

    // "AsyncProbe=false" in the environment would have no effect, and the operator would not notice.
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
