using System.Runtime.CompilerServices;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Common;
using AsyncProbe.Rules;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.Blocking.Sites;

/// <summary>
/// Logs each call site once at Warning, then at Debug. It logs nothing while a debugger is attached, because then everything waits for the
/// developer. Use it only on the watcher's thread.
/// </summary>
internal sealed class SiteLog(BlockingSites sites, int maxWarningsPerHour, ILogger logger, Func<bool> isDebugged)
{
    private const int MaxHeldBack = 1000;

    private static Duration Hour => 3600 * Duration.Second;

    private delegate void LogSite(ILogger logger, string endpoint, double blockedMs, string site, string kind, string remedy);

    private readonly ConditionalWeakTable<BlockingSite, StrongBox<long>> _logged = [];

    // Locks that may never recur, and waits of requests without an endpoint so far.
    private readonly List<BlockingSite> _heldBack = [];
    private int _generation;
    private Timestamp _hourBeganAt = Timestamp.Now();
    private int _warnings;

    public void LogNew()
    {
        ForgetRemoved();
        while (sites.TryTakeNew(out var site))
        {
            if (site is null || isDebugged())
            {
                continue;
            }

            // A site without a count waits until its request has an endpoint.
            if (IsDue(site))
            {
                LogFirst(site);
            }
            else if (_heldBack.Count < MaxHeldBack)
            {
                _heldBack.Add(site);
            }
        }
    }

    public void LogRepeats()
    {
        foreach (var site in _heldBack.Where(IsDue).ToList())
        {
            _heldBack.Remove(site);
            LogFirst(site);
        }

        if (!logger.IsEnabled(LogLevel.Debug) || isDebugged())
        {
            return;
        }

        foreach (var site in sites.Read())
        {
            var count = site.Count;
            if (_logged.TryGetValue(site, out var logged) && count > logged.Value)
            {
                logged.Value = count;
                Log.SiteAgain(logger, site.Text, site.Kind.Name(), count, site.Total.ToMilliseconds());
            }
        }
    }

    // A reset removes sites, which then never change again.
    private void ForgetRemoved()
    {
        if (sites.Generation is var generation && generation != _generation)
        {
            _generation = generation;
            var known = sites.All.ToHashSet();
            _heldBack.RemoveAll(site => !known.Contains(site));
        }
    }

    // The count is raised a moment before the endpoint's row exists.
    private static bool IsDue(BlockingSite site) =>
        site.Endpoints.Any() && site is { IsShown: true, MayBeOneTime: false } && HasEvidence(site);

    // A single sample is no reason to warn. A wait that the thread's own clock has followed for a second is.
    private static bool HasEvidence(BlockingSite site) =>
        !site.IsFromSnapshot || site.Hits >= Evidence.HitsForAShare || site.Max >= Duration.Second || site.Evidence.IsMeasured;

    private void LogFirst(BlockingSite site)
    {
        var place = ReportedPlace.Of(site);
        var isKnown = sites.Read().Any(s => s != site && _logged.TryGetValue(s, out _) && ReportedPlace.Of(s) == place);
        var count = site.Count;
        _logged.AddOrUpdate(site, new StrongBox<long>(count));
        if (isKnown)
        {
            return;
        }

        var endpoint = site.Endpoints.Select(e => e.Key).FirstOrDefault() ?? RowNames.Unmatched;
        var blockedMs = site.Max.ToMilliseconds();
        if (site.Allowed is { } reason)
        {
            Log.SiteAllowed(logger, endpoint, blockedMs, site.Text, site.Kind.Name(), reason);
        }
        else if (MayWarn())
        {
            (site.IsFromSnapshot ? Log.SiteSampled : (LogSite)Log.SiteFound)(
                logger, endpoint, blockedMs, site.Text, site.Kind.Name(), site.Advice.Remedy);
        }
        else
        {
            (site.IsFromSnapshot ? Log.SiteSampledQuietly : (LogSite)Log.SiteFoundQuietly)(
                logger, endpoint, blockedMs, site.Text, site.Kind.Name(), site.Advice.Remedy);
        }
    }

    private bool MayWarn()
    {
        if (_hourBeganAt.Elapsed() >= Hour)
        {
            _hourBeganAt = Timestamp.Now();
            _warnings = 0;
        }

        return _warnings < maxWarningsPerHour && ++_warnings > 0;
    }
}
