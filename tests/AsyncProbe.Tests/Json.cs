using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace AsyncProbe.Tests;

/// <summary>Shortcuts into reports and headers.</summary>
internal static class Json
{
    public static double Ms(this JsonElement row, string times, string figure = "total") =>
        row.GetProperty(times).GetProperty(figure).GetDouble();

    /// <summary>
    /// How long the thread was stopped, which is at least as long as it slept. Other tests of this process cause collections, some with
    /// all generations, and for threads that sleep at the time the pause counts as gc.
    /// </summary>
    public static double StoodStillMs(this JsonElement row, string figure = "total") =>
        row.Ms("blockedMs", figure) + row.Ms("gcMs", figure);

    /// <summary>The same for a response's headers.</summary>
    public static double StoodStillMs(this HttpResponseMessage response)
    {
        // On systems that don't report it, it is part of blocked.
        var timing = Regex.Match(response.Headers.GetValues("Server-Timing").Single(), @"cpuwait;dur=([\d.]+)");
        return response.Number("X-AsyncProbe-Held-Ms") - response.Number("X-AsyncProbe-Cpu-Ms")
            - (timing.Success ? double.Parse(timing.Groups[1].Value, CultureInfo.InvariantCulture) : 0);
    }

    public static long Count(this JsonElement row, string name) => row.GetProperty(name).GetInt64();

    public static double Number(this HttpResponseMessage response, string header) =>
        double.Parse(response.Headers.GetValues(header).Single(), CultureInfo.InvariantCulture);

    public static string[] EndpointNames(this JsonElement report) =>
        [.. report.GetProperty("endpoints").EnumerateArray().Select(e => e.GetProperty("endpoint").GetString()!)];

    public static string[] OperationNames(this JsonElement report) =>
        [.. report.GetProperty("operations").EnumerateArray().Select(e => e.GetProperty("endpoint").GetString()!)];
}
