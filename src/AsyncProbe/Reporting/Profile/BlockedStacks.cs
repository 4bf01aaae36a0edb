using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Common;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Reporting.Profile;

/// <summary>
/// The blocked time of the report's call sites as stacks, by endpoint and operation. Each wait counts under its stack; time that sampling
/// windows distributed counts under the stacks that they saw. The sums equal those in the report.
/// </summary>
internal sealed class BlockedStacks(BlockingSites sites, IOptions<AsyncProbeOptions> options)
{
    // Viewers can't usefully show more. The remaining, shortest stacks share one row.
    private const int MostStacks = 5000;

    private readonly bool _includeStacks = options.Value.IncludeStacks == true;

    /// <summary>Longest first.</summary>
    /// <param name="filter">Only includes endpoints whose name contains this text; null for all.</param>
    /// <param name="isShort">Whether to leave out framework frames between the app's frames, as the report does.</param>
    public IReadOnlyList<BlockedStack> Read(string? filter, bool isShort = false)
    {
        List<(BlockingSite Site, string Endpoint, IReadOnlyList<SiteFrame> Stack, Duration Blocked)> rows = [];
        foreach (var site in sites.Read())
        {
            rows.AddRange(site.Endpoints
                .Where(e => filter is null || e.Key.Contains(filter, StringComparison.OrdinalIgnoreCase))
                .SelectMany(e => Stacks(site, e.Key, e.Value), (e, stack) => (site, e.Key, stack.Frames, stack.Blocked)));
        }

        rows.Sort((a, b) => b.Blocked.CompareTo(a.Blocked));
        var stacks = rows.Take(MostStacks)
            .Select(row => new BlockedStack(Frames(row.Site, row.Endpoint, row.Stack, isShort), row.Blocked)).ToList();
        if (rows.Count > MostStacks)
        {
            stacks.Add(
                new BlockedStack(
                    [new ProfileFrame(RowNames.Other)],
                    rows.Skip(MostStacks).Aggregate(Duration.Zero, (sum, row) => sum + row.Blocked)));
        }

        return stacks;
    }

    // Without IncludeStacks (the default outside Development), only the call site, as in the report.
    private IReadOnlyList<(IReadOnlyList<SiteFrame> Frames, Duration Blocked)> Stacks(
        BlockingSite site, string endpoint, SiteEndpoint row) =>
        _includeStacks ? site.StacksOf(endpoint, row) : [(site.At is { } at ? [at] : [], Counter.Read(ref row.Blocked))];

    private static List<ProfileFrame> Frames(BlockingSite site, string endpoint, IReadOnlyList<SiteFrame> stack, bool isShort)
    {
        List<ProfileFrame> frames = [new(endpoint)];
        if (site.Allowed is { } reason)
        {
            frames.Add(new ProfileFrame($"allowed: {reason}"));
        }

        frames.AddRange((isShort ? ShortStacks.Shorten(stack) : stack).Reverse().Select(Describe));
        frames.Add(new ProfileFrame($"[{site.Kind.Name()}]"));
        return frames;
    }

    private static ProfileFrame Describe(SiteFrame frame) =>
        new(frame.Frame.ShortName, frame.Line?.File, frame.Line?.Line, frame.Frame.Owner == FrameOwner.UserCode);
}
