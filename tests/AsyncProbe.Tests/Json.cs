using System.Globalization;
using System.Text.Json;

namespace AsyncProbe.Tests;

/// <summary>Short ways into a report and into headers.</summary>
internal static class Json
{
    public static double Ms(this JsonElement row, string times, string figure = "total") => row.GetProperty(times).GetProperty(figure).GetDouble();

    public static long Count(this JsonElement row, string name) => row.GetProperty(name).GetInt64();

    public static double Number(this HttpResponseMessage response, string header) =>
        double.Parse(response.Headers.GetValues(header).Single(), CultureInfo.InvariantCulture);

    public static string[] EndpointNames(this JsonElement report) =>
        [.. report.GetProperty("endpoints").EnumerateArray().Select(e => e.GetProperty("endpoint").GetString()!)];

    public static string[] OperationNames(this JsonElement report) =>
        [.. report.GetProperty("operations").EnumerateArray().Select(e => e.GetProperty("endpoint").GetString()!)];
}
