using System.Globalization;
using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Views;

/// <summary>Describes in one line how a load was generated.</summary>
internal static class LoadText
{
    public static string Plan(LoadSettings settings)
    {
        if (settings.Once)
        {
            return "one pass on one thread";
        }

        var who = settings.IsOpen
            ? string.Create(CultureInfo.InvariantCulture, $"{settings.Rate} planned requests a second")
            : FigureText.Count(settings.Threads, "thread");
        var until = settings.Duration is { } duration ? $"{duration.TotalSeconds:0.###} s" : "";
        var count = settings.Requests is { } requests ? FigureText.Count(requests, "request") : "";
        var length = string.Join(" or ", new[] { until, count }.Where(part => part.Length > 0));
        return $"{who}, {length} after {settings.Warmup.TotalSeconds:0.###} s of warm-up";
    }

    public static string Done(LoadShape load)
    {
        FormattableString text = load.Model switch
        {
            LoadShape.OncePass => $"one pass on one thread in {load.MeasuredSeconds:0.##} s",
            LoadShape.Open =>
                $"open model, {load.PlannedPerSecond} planned requests a second for {load.MeasuredSeconds:0.##} s after {load.WarmupSeconds} s of warm-up, {Connections(load)}",
            _ => $"closed model, {load.Threads} threads{Over(load)} for {load.MeasuredSeconds:0.##} s after {load.WarmupSeconds} s of warm-up",
        };
        return text.ToString(CultureInfo.InvariantCulture) + $"; times are {load.TimeMeans}";
    }

    private static string Connections(LoadShape load) =>
        load.SharedConnections is null ? $"{load.Threads} connections" : $"{load.Threads} requests in flight at most{Over(load)}";

    private static string Over(LoadShape load) =>
        load.SharedConnections is { } count ? $" over {FigureText.Count(count, "shared connection")}" : "";
}
