using System.Globalization;
using AsyncProbe.Blocking.Kinds;

namespace AsyncProbe.Analyzers.Reports;

/// <summary>Says what happened at a line and what to do, in the same words as the command's SARIF files.</summary>
internal static class SiteSentence
{
    public static string Create(ReportedSite site)
    {
        var more = site.Endpoints.More > 0 ? $" and {(site.Endpoints.IsFull ? "at least " : "")}{site.Endpoints.More} more" : "";
        var endpoints = string.Join(", ", site.Endpoints.Shown) + more;
        var mean = site.MeanMs is { } ms ? $", {Ms(ms)} ms on average" : "";
        var seen = site.Sampled
            ? $"{endpoints} blocked a pool thread here, seen in {Count(site.Count, "sample")}{mean}"
            : $"{endpoints} blocked a pool thread here {(site.Partial ? "at least " : "")}{Count(site.Count, "time")}{mean}";
        return $"{seen}. {Remedy(site)}";
    }

    private static string Remedy(ReportedSite site) => site.Awaitable switch
    {
        null => char.ToUpperInvariant(site.Kind.Remedy()[0]) + site.Kind.Remedy().Substring(1) + ".",
        "await" => "Await it instead.",
        var twin => $"Await {PrintableText.From(twin)} instead.",
    };

    private static string Count(long count, string noun) =>
        $"{count.ToString("N0", CultureInfo.InvariantCulture)} {noun}{(count == 1 ? "" : "s")}";

    private static string Ms(double ms) =>
        ms.ToString(ms < 10 ? "0.00" : ms < 100 ? "0.0" : "N0", CultureInfo.InvariantCulture);
}
