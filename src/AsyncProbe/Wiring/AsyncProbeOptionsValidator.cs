using Microsoft.Extensions.Options;

namespace AsyncProbe.Wiring;

/// <summary>Reports each invalid option in a sentence, before the host serves its first request.</summary>
internal sealed class AsyncProbeOptionsValidator : IValidateOptions<AsyncProbeOptions>
{
    public ValidateOptionsResult Validate(string? name, AsyncProbeOptions options)
    {
        List<string> errors = [];

        Check(options.MinimumBlocked, TimeSpan.FromMilliseconds(0.1), TimeSpan.FromMinutes(1), nameof(options.MinimumBlocked));
        Check(options.QueueingThreshold, TimeSpan.FromMilliseconds(1), TimeSpan.FromMinutes(1), nameof(options.QueueingThreshold));
        Check(options.StarvedThreshold, TimeSpan.FromMilliseconds(1), TimeSpan.FromMinutes(10), nameof(options.StarvedThreshold));
        Check(options.History, TimeSpan.FromSeconds(10), TimeSpan.FromHours(24), nameof(options.History));
        Check(options.MaxEndpoints, 1, 100_000, nameof(options.MaxEndpoints));
        Check(options.MaxOperations, 1, 100_000, nameof(options.MaxOperations));
        Check(options.MaxSites, 1, 100_000, nameof(options.MaxSites));
        Check(options.MaxStackNodes, 100, 100_000, nameof(options.MaxStackNodes));
        Check(options.MaxWarningsPerHour, 0, 10_000, nameof(options.MaxWarningsPerHour));
        Check(options.ManagementPort ?? 1, 1, 65_535, nameof(options.ManagementPort));
        Check(options.LifelinePort ?? 1, 1, 65_535, nameof(options.LifelinePort));

        if (options.StarvedThreshold < options.QueueingThreshold)
        {
            errors.Add($"AsyncProbe:StarvedThreshold is {options.StarvedThreshold}, which is below QueueingThreshold ({options.QueueingThreshold}). "
                + "Raise StarvedThreshold or lower QueueingThreshold.");
        }

        if (!(options.SampleRate > 0 && options.SampleRate <= 1))
        {
            errors.Add(
                Invariant(
                    $"AsyncProbe:SampleRate is {options.SampleRate}. Set it to a number above 0 and up to 1; to switch AsyncProbe off, set Enabled to false."));
        }

        if (options.Detection is { } detection && !Enum.IsDefined(detection))
        {
            errors.Add($"AsyncProbe:Detection is {detection}. Set it to Off, WhenBlocking or Always.");
        }

        if (options.LifelinePort is { } lifeline && options.ManagementPort == lifeline)
        {
            errors.Add(
                Invariant(
                    $"AsyncProbe:LifelinePort and AsyncProbe:ManagementPort are both {lifeline}. The lifeline is a separate listener, so give it another port."));
        }

        for (var i = 0; i < options.UserAssemblies.Count; i++)
        {
            if (string.IsNullOrWhiteSpace(options.UserAssemblies[i])
                || options.UserAssemblies[i].EndsWith(".dll", StringComparison.OrdinalIgnoreCase))
            {
                errors.Add(
                    Invariant(
                        $"AsyncProbe:UserAssemblies:{i} is '{options.UserAssemblies[i]}'. Set it to the name of an assembly, without .dll."));
            }
        }

        for (var i = 0; i < options.ActivitySources.Count; i++)
        {
            if (string.IsNullOrWhiteSpace(options.ActivitySources[i])
                || options.ActivitySources[i].TrimEnd('*').Length < options.ActivitySources[i].Length - 1
                || options.ActivitySources[i].TrimEnd('*').Contains('*', StringComparison.Ordinal))
            {
                errors.Add(
                    $"AsyncProbe:ActivitySources:{i} is '{options.ActivitySources[i]}'. Set it to the name of an activity source; only its last character may be a *.");
            }
        }

        for (var i = 0; i < options.Allow.Count; i++)
        {
            if (string.IsNullOrWhiteSpace(options.Allow[i]?.MethodPrefix) || string.IsNullOrWhiteSpace(options.Allow[i].Reason))
            {
                errors.Add($"AsyncProbe:Allow:{i} has MethodPrefix '{options.Allow[i]?.MethodPrefix}' and Reason '{options.Allow[i]?.Reason}'. "
                    + "Set both: a rule without a reason can't be reviewed.");
            }
        }

        return errors.Count == 0 ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail(errors);

        void Check<T>(T value, T low, T high, string option)
            where T : IComparable<T>
        {
            if (value.CompareTo(low) < 0 || value.CompareTo(high) > 0)
            {
                errors.Add(Invariant($"AsyncProbe:{option} is {value}. Set it to a {Unit<T>()} from {low} to {high}."));
            }
        }
    }

    private static string Unit<T>() => typeof(T) == typeof(TimeSpan) ? "time (days.hours:minutes:seconds)" : "number";

    private static string Invariant(FormattableString text) => FormattableString.Invariant(text);
}
