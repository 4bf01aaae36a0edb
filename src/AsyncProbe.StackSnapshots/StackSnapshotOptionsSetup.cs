using AsyncProbe.Wiring;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace AsyncProbe.StackSnapshots;

/// <summary>
/// Binds the configuration section and validates the options before the host serves its first request, with one sentence for each error.
/// </summary>
internal sealed class StackSnapshotOptionsSetup(IServiceProvider services)
    : IConfigureOptions<StackSnapshotOptions>, IValidateOptions<StackSnapshotOptions>
{
    private const string Section = "AsyncProbe:StackSnapshots";

    public void Configure(StackSnapshotOptions options)
    {
        if (services.GetService<IConfiguration>()?.GetSection(Section) is not { } section)
        {
            return;
        }

        OptionValues.Check<StackSnapshotOptions>(section, "AsyncProbe.StackSnapshots");
        try
        {
            section.Bind(options);
        }
        catch (InvalidOperationException e)
        {
            throw Wrong([$"The configuration of stack snapshots cannot be read. {e.Message} Correct the value or remove it."]);
        }
    }

    public ValidateOptionsResult Validate(string? name, StackSnapshotOptions options)
    {
        List<string> errors = [];
        Check(options.Interval, TimeSpan.FromSeconds(1), TimeSpan.FromHours(24), nameof(options.Interval));
        Check(options.Duration, TimeSpan.FromMilliseconds(1), TimeSpan.FromSeconds(1), nameof(options.Duration));
        return errors.Count == 0 ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail(errors);

        void Check(TimeSpan value, TimeSpan low, TimeSpan high, string option)
        {
            if (value < low || value > high)
            {
                errors.Add(FormattableString.Invariant($"{Section}:{option} is {value}. Set it to a time (days.hours:minutes:seconds) from {low} to {high}."));
            }
        }
    }

    private static OptionsValidationException Wrong(IEnumerable<string> sentences) => new(Section, typeof(StackSnapshotOptions), sentences);
}
