using System.Text.Json;

namespace AsyncProbe.Apps.Tests.Running;

/// <summary>
/// A place without a line belongs to a library. In these applications a library waits only on its own locks and, where it handles the
/// endpoint, for its own queries. Anything else reported there is the application's own wait under a wrong name, or not a wait.
/// </summary>
internal static class LibraryPlaces
{
    private static readonly string[] s_locks = ["Lock", "Monitor.Wait"];

    public static void Try(IReadOnlyCollection<EndpointTruth> truths, JsonElement report, Score score)
    {
        var handledByLibraries = truths.Where(t => t.IsHandledByLibrary).Select(t => t.Endpoint).ToHashSet();
        var own = truths.SelectMany(t => t.Sites).SelectMany(s => s.Places).Select(p => p.Method).ToHashSet();
        foreach (var site in new Reported(report).Sites.Where(s => s.Line is null && !own.Contains(s.At)))
        {
            score.Check(
                s_locks.Contains(site.Kind) || (site.Kind == "EfCore" && handledByLibraries.IsSupersetOf(site.Endpoints)),
                string.Join(", ", site.Endpoints), Aspect.Method,
                "the application's own place, or a library's lock or query", $"{site.Text} [{site.Kind}], {site.Count} × {site.Blocked.Mean} ms");
        }
    }
}
