using System.Globalization;

namespace AsyncProbe.Cli.Sessions.Export;

/// <summary>The lines at the top of an exported file.</summary>
internal static class ExportComment
{
    public static IEnumerable<string> Lines(ExportPlan plan, IReadOnlyList<string> losses)
    {
        yield return $"Written by asyncprobe export of the session {plan.Name}.";
        foreach (var variable in plan.Variables.Where(variable => variable.Value is null))
        {
            yield return $"Give the variable {variable.Name} a value; without one it is sent as {variable.AsWritten}.";
        }

        if (losses.Count > 0)
        {
            yield return "Not carried over:";
        }

        foreach (var loss in losses)
        {
            yield return "- " + SafeText.From(loss);
        }
    }

    /// <summary>Losses in formats for engines that generate load.</summary>
    public static IEnumerable<string> LossesOfEngine(ExportPlan plan)
    {
        if (plan.Options.WarmupSeconds > 0)
        {
            yield return string.Create(
                CultureInfo.InvariantCulture, $"The warm-up of {plan.Options.WarmupSeconds} s: every request is in the figures.");
        }

        yield return "Redirects only to the session's own hosts: they are followed anywhere.";
    }

    /// <summary>Losses in formats that contain only requests.</summary>
    public static IEnumerable<string> LossesOfLoad(ExportPlan plan)
    {
        yield return string.Create(
            CultureInfo.InvariantCulture,
            $"The load: {plan.Threads} threads for {plan.Seconds} s after {plan.Options.WarmupSeconds} s of warm-up, {plan.DelayMs} ms "
                + $"between requests, a timeout of {plan.Options.RequestTimeout.TotalMilliseconds} "
                + $"ms{(plan.Options.RandomizeRequests ? ", in random order" : "")}.");
        foreach (var request in plan.Requests)
        {
            if (request.Inactive)
            {
                yield return $"The inactive request \"{request.Title}\".";
            }
            else if (request.Rules.Count > 0)
            {
                yield return $"What \"{request.Title}\" takes from a response, or puts in from an earlier one.";
            }
        }
    }
}
