namespace AsyncProbe.Tests.Truth;

/// <summary>Compares an endpoint's sites with the truth.</summary>
internal static class SiteJudge
{
    private static readonly string[] s_timers =
        ["TimerQueue", "Timer.", "PeriodicTimer.", "Task.Delay", "Task.CancellationPromise", "CancellationTokenSource."];

    public static void Try(EndpointTruth truth, IReadOnlyList<ReportedSite> sites, Setting setting, Score score)
    {
        var possible = truth.Sites.Where(s => s.IsPossible(setting)).ToList();
        var missing = possible.Where(s => s.IsRequired(setting)).ToHashSet();
        // Code without symbols isn't the application's own.
        foreach (var site in sites.Where(s => s.File is not null || !(truth.MayBlockInLibraries || IsLockOfTheTimers(s.At, s.Kind))))
        {
            // Find the nearest truth: the same place, else the same method, else the same kind if only one has it.
            var meant = possible.Find(t => t.Places.Any(p => IsAt(site, p)) && t.Kind == site.Kind)
                ?? possible.Find(t => t.Places.Any(p => IsAt(site, p)))
                ?? possible.Find(t => t.Places.Any(p => p.Method == site.At) && t.Kind == site.Kind)
                ?? possible.Find(t => t.Places.Any(p => p.Method == site.At))
                ?? possible.Find(t => t.Kind == site.Kind && missing.Contains(t));
            var got = $"{site.Text} [{site.Kind}], {site.Count} × {site.Blocked.Mean} ms";
            if (!score.Check(
                meant is not null, truth.Endpoint, Aspect.FalseAlarm, possible.Count == 0 ? "no site" : Describe(possible),
                got) || meant is null)
            {
                continue;
            }

            missing.Remove(meant);
            score.Check(meant.Kind == site.Kind, truth.Endpoint, Aspect.Kind, meant.Kind, got);
            score.Check(
                meant.Allowed == site.Allowed, truth.Endpoint, Aspect.Contradiction, $"allowed: {meant.Allowed ?? "no"}",
                $"{site.Allowed ?? "no"} at {got}");
            if (score.Check(meant.Places.Any(p => p.Method == site.At), truth.Endpoint, Aspect.Method, meant.Text, got)
                && meant.File is not null)
            {
                score.Check(meant.Places.Any(p => IsAt(site, p)), truth.Endpoint, Aspect.Line, meant.Text, got);
            }
        }

        foreach (var site in possible.Where(s => s.IsRequired(setting)))
        {
            score.Check(
                !missing.Contains(site), truth.Endpoint, Aspect.Site, $"{site.Text} [{site.Kind}]",
                sites.Count == 0 ? "no site" : "other sites only");
        }
    }

    /// <summary>Checks a place as headers and log lines write it.</summary>
    /// <returns>Whether it is one of the endpoint's places, regardless of the line.</returns>
    public static bool TryText(EndpointTruth truth, string text, string where, Score score)
    {
        var method = text.Split(' ')[0];
        var hasLine = text.Contains('(', StringComparison.Ordinal);
        var expected = truth.Sites.Count == 0 ? "no place" : string.Join(" or ", truth.Sites.Select(s => s.Text));
        var places = truth.Sites.SelectMany(s => s.Places).Where(p => p.Method == method).ToList();
        if (!score.Check(
            places.Count > 0 || ((truth.MayBlockInLibraries || IsLockOfTheTimers(method, "Lock")) && !hasLine), truth.Endpoint,
            Aspect.FalseAlarm, $"{expected} {where}", text))
        {
            return false;
        }

        if (places.Exists(p => p.File is not null) && (hasLine || places.TrueForAll(p => p.File is not null)))
        {
            score.Check(
                places.Exists(p => text == $"{p.Method} ({p.File}:{p.Line})"), truth.Endpoint, Aspect.Line, $"{expected} {where}", text);
        }

        return true;
    }

    /// <summary>
    /// Every thread of the process briefly takes the lock of the runtime's timers. A thread that loses its core while it holds it makes
    /// all others wait, at any time. So such a wait is true wherever it is reported, under the name of whatever is left of it on the stack.
    /// </summary>
    public static bool IsLockOfTheTimers(string at, string kind) =>
        kind == "Lock" && Array.Exists(s_timers, name => at.StartsWith(name, StringComparison.Ordinal));

    public static bool IsAt(ReportedSite site, Place place) =>
        place.Method == site.At && (place.File is null || (place.File == site.File && place.Line == site.Line));

    private static string Describe(IEnumerable<SiteTruth> sites) => string.Join(" or ", sites.Select(s => $"{s.Text} [{s.Kind}]"));
}
