namespace AsyncProbe.Apps.Tests;

/// <summary>What is still said wrongly of the applications, and why. Everything else that is wrong fails the tests.</summary>
internal static class KnownAppUntruths
{
    private static readonly Known[] s_all =
    [
        new("Bookshop", "POST /Orders/Pay/{id?}", Aspect.Line,
            "The C# compiler gives a lock statement over a System.Threading.Lock no place in the symbols, so it has the line in front of it."),
        new("Notes", "GET /figures/longest", Aspect.Line,
            "The handler vanished into its compiled caller, and what EF Core's event shows beneath it is not what the handler calls: no line is told."),
        .. HeaderOnly("Notes", "GET /notes/", "GET /notes/{id:int}", "GET /notes/owner", "POST /notes/", "PUT /notes/{id:int}", "POST /account/login", "GET /figures/longest"),
        .. HeaderOnly("Bookshop", "GET /Home/Index/{id?}", "GET /Home/Broken/{id?}"),
        .. HeaderOnly("Warehouse", "GET /inventory/yield", "GET /orders/failing", "GET /partners/awaited", "GET /partners/send", "GET /partners/result", "GET /partners/read"),
        .. TimerLock("Bookshop", "GET /Orders/Find/{id?}", "POST /Orders/ReserveNow/{id?}"),
        .. TimerLock("Warehouse", "GET /orders/legacy", "GET /orders/printed"),
        new("Notes", "POST /account/login", Aspect.Verdict,
            "On a crowded machine its reads meet other requests' write lock for a seventh of its own time, and the provider's part decides before the CPU does."),
        new("Warehouse", "GET /orders/packed", Aspect.Verdict,
            "Parallel.For waits for its last worker; when a crowd delays that one, await is advised although the CPU is the limit on a quiet machine."),
        new("Warehouse", "(unmatched)", Aspect.Contradiction,
            "A new site may be logged a moment before its request is known to belong to an endpoint; the log then says (unmatched)."),
    ];

    public static bool Covers(string app, Finding finding) =>
        Array.Exists(s_all, k => k.App == app && k.Endpoint == finding.Endpoint && k.Aspect == finding.Aspect);

    private static IEnumerable<Known> HeaderOnly(string app, params string[] endpoints) =>
        endpoints.Select(e => new Known(
            app, e, Aspect.Contradiction,
            "A lock of the framework that is met once is in the header of its request, but comes into the report only when it is met again."));

    private static IEnumerable<Known> TimerLock(string app, params string[] endpoints) =>
        from endpoint in endpoints
        from aspect in (Aspect[])[Aspect.Kind, Aspect.Contradiction]
        select new Known(app, endpoint, aspect, "Task.Delay takes the lock of the runtime's timers in the line that then waits for the task: when that lock is contended, the line has two kinds.");

    private sealed record Known(string App, string Endpoint, Aspect Aspect, string Reason);
}
