using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Common;
using AsyncProbe.Requests.Endpoints;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Reporting.Profile;

/// <summary>
/// The blocked time of the report's call sites as stacks, by endpoint and operation: each site's time under the stack of the endpoint's
/// first wait there. Its sums are the report's.
/// </summary>
internal sealed class BlockedStacks(BlockingSites sites, IOptions<AsyncProbeOptions> options)
{
    // A viewer shows no more; the shortest of them share one row.
    private const int MostStacks = 5000;

    private readonly bool _includeStacks = options.Value.IncludeStacks == true;

    /// <summary>Longest first.</summary>
    /// <param name="filter">Only endpoints whose name holds this text; null for all.</param>
    /// <param name="isShort">Whether the framework's frames between the application's are left out, as in the report.</param>
    public IReadOnlyList<BlockedStack> Read(string? filter, bool isShort = false)
    {
        List<(BlockingSite Site, string Endpoint, Duration Blocked)> rows = [];
        foreach (var site in sites.Read())
        {
            rows.AddRange(site.Endpoints
                .Where(e => filter is null || e.Key.Contains(filter, StringComparison.OrdinalIgnoreCase))
                .Select(e => (site, e.Key, Counter.Read(ref e.Value.Blocked))));
        }

        rows.Sort((a, b) => b.Blocked.CompareTo(a.Blocked));
        var stacks = rows.Take(MostStacks).Select(row => new BlockedStack(Frames(row.Site, row.Endpoint, isShort), row.Blocked)).ToList();
        if (rows.Count > MostStacks)
        {
            stacks.Add(
                new BlockedStack(
                    [new ProfileFrame(EndpointName.Overflow)],
                    rows.Skip(MostStacks).Aggregate(Duration.Zero, (sum, row) => sum + row.Blocked)));
        }

        return stacks;
    }

    private List<ProfileFrame> Frames(BlockingSite site, string endpoint, bool isShort)
    {
        List<ProfileFrame> frames = [new(endpoint)];
        if (site.Allowed is { } reason)
        {
            frames.Add(new ProfileFrame($"allowed: {reason}"));
        }

        // Outside Development the place alone, as in the report.
        IReadOnlyList<SiteFrame> stack = _includeStacks ? site.StackOf(endpoint) : site.At is { } at ? [at] : [];
        frames.AddRange((isShort ? ShortStacks.Shorten(stack) : stack).Reverse().Select(Describe));
        frames.Add(new ProfileFrame($"[{site.Kind.Name()}]"));
        return frames;
    }

    private static ProfileFrame Describe(SiteFrame frame) =>
        new(frame.Frame.ShortName, frame.Line?.File, frame.Line?.Line, frame.Frame.Owner == FrameOwner.UserCode);
}
