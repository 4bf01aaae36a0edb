using System.Globalization;
using System.Text.Json;
using AsyncProbe.Tests;
using AsyncProbe.Tests.Blocking.Catalogue;

namespace AsyncProbe.Integration.Tests.Snapshots.Lines;

/// <summary>The report's figures for a row's endpoints: how long they were blocked, and how much of that has the right line.</summary>
/// <param name="Blocked">All blocked time, in milliseconds.</param>
/// <param name="AtLine">The time that was timed or sampled at the line, in milliseconds.</param>
/// <param name="Elsewhere">The time at other places, longest first.</param>
/// <param name="WithLine">
/// The part of <paramref name="Blocked"/> that the line accounts for. Outside Development, most requests of an endpoint whose sites are
/// known don't carry the hook; as in the report, the result of those that do is applied to all.
/// </param>
internal sealed record LineTime(double Blocked, double AtLine, string Elsewhere, double WithLine)
{
    /// <summary>The share of the blocked time that has the line, from 0 to 1.</summary>
    public double Share => Blocked > 0 ? WithLine / Blocked : 0;

    /// <param name="report">The report.</param>
    /// <param name="profile">The same as collapsed stacks, which contain the time of each endpoint at each place.</param>
    /// <param name="row">The blocking code.</param>
    /// <param name="endpoints">Its endpoints.</param>
    public static LineTime Read(JsonElement report, string profile, LineRow row, IReadOnlyList<string> endpoints)
    {
        var places = profile.Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Select(Parse).Where(place => endpoints.Contains(place.Endpoint)).ToList();
        var (blocked, atLine, withLine) = (0.0, 0.0, 0.0);
        foreach (var endpoint in report.GetProperty("endpoints").EnumerateArray()
            .Where(e => endpoints.Contains(e.GetProperty("endpoint").GetString()!)))
        {
            var mine = places.Where(place => place.Endpoint == endpoint.GetProperty("endpoint").GetString()).ToList();
            var (all, here) = (mine.Sum(place => place.Ms), mine.Where(place => IsAt(place.At, row)).Sum(place => place.Ms));
            var total = endpoint.Ms("blockedMs", "total");
            var explained = endpoint.GetProperty("explained") is { ValueKind: JsonValueKind.Number } share ? share.GetDouble() : 0;
            blocked += total;
            atLine += here;
            withLine += all > 0 ? Math.Max(Math.Min(here, total), total * explained * here / all) : 0;
        }

        var elsewhere = places.Where(place => !IsAt(place.At, row)).GroupBy(place => place.At)
            .OrderByDescending(group => group.Sum(place => place.Ms))
            .Select(group => string.Create(CultureInfo.InvariantCulture, $"{group.Sum(place => place.Ms):0} ms {group.Key}"));
        return new(blocked, atLine, string.Join(", ", elsewhere), withLine);
    }

    private static bool IsAt(string place, LineRow row) =>
        place.Split('.')[0].EndsWith("Sins", StringComparison.Ordinal)
        && row.Marks.Any(mark => place.EndsWith($":{Here.LineOf(mark)}", StringComparison.Ordinal));

    private static (string Endpoint, string At, double Ms) Parse(string stack)
    {
        var time = stack.LastIndexOf(' ');
        var frames = stack[..time].Split(';');

        // The last frame is the kind.
        return (frames[0], frames[^2], long.Parse(stack[(time + 1)..], CultureInfo.InvariantCulture) / 1000.0);
    }
}
