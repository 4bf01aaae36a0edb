using System.Net;
using AsyncProbe.Apps.Tests.Running;

namespace AsyncProbe.Apps.Tests.Bookshop;

/// <summary>
/// MVC with a base controller, filters, a model binder, views, partial views, view components, a Razor page and output caching.
/// </summary>
internal sealed class BookshopApp : JudgedApp
{
    public override string Name => "Bookshop";

    public override Task<IReadOnlyList<Call>> CallsAsync(AppProcess process, Load load, AppSetting setting) =>
        Task.FromResult<IReadOnlyList<Call>>(
    [
        Get("/", "Home/Index"),
        Get("/Home/Broken", "Home/Broken") with { Status = HttpStatusCode.InternalServerError },
        Get("/Home/Imprint", "Home/Imprint"),
        Get("/Books", "Books/Index"),
        Get("/Books/Details/1", "Books/Details"),
        Get("/Books/DetailsAwaited/1", "Books/DetailsAwaited"),
        Get("/Books/Sleepy", "Books/Sleepy"),
        Get("/Books/Recommended", "Books/Recommended"),
        Get("/Books/WithBasket", "Books/WithBasket"),
        Get("/Books/Popularity", "Books/Popularity"),
        Get("/Books/Filtered", "Books/Filtered"),
        Get("/Books/Tracked", "Books/Tracked"),
        new("POST", "/Orders/Pay", "POST /Orders/Pay/{id?}"),
        new("POST", "/Orders/Reserve", "POST /Orders/Reserve/{id?}"),
        new("POST", "/Orders/ReserveNow", "POST /Orders/ReserveNow/{id?}"),
        Get("/Orders/Find", "Orders/Find"),
        Get("/Basket/Summary", "Basket/Summary"),
        new("GET", "/Opening", "GET /Opening"),
        new("GET", "/site.css", "(static)"),
    ]);

    public override IReadOnlyList<EndpointTruth> Truths()
    {
        var lines = new Markers(AppProcess.FolderOf(Name));
        return
        [
            Of("Home/Index", "fine|cpuBound|lockContention", "a view in a layout; logs") with { MayBlockInLibraries = true },
            Of("Home/Broken", "fine|cpuBound|lockContention", "throws, which is logged") with { MayBlockInLibraries = true },
            Of("Home/Imprint", "fine|alreadyAsync", "from the output cache but once"),
            Of("Books/Index", "fine|cpuBound", "a view in a layout"),
            Of("Books/Details", "asyncWillHelp", "a small synchronous action").Waiting(15) with
            {
                Sites = [lines.Site("details", "Task.Wait", "BooksController.Details") with { BlocksMs = 15 }],
            },
            Of("Books/DetailsAwaited", "alreadyAsync|fine", "the same, awaited"),
            Of("Books/Sleepy", "asyncWillHelp", "Thread.Sleep, which no hook sees").Sleeping(15) with
            {
                Sites = [lines.Site("sleepy", "Sleep", "BooksController.Sleepy") with { SeenBy = SeenBy.Snapshot, BlocksMs = 15 }],
            },
            Of("Books/Recommended", "asyncWillHelp", "a partial view waits, in a view in a layout").Waiting(15) with
            {
                Sites = [lines.Site("partial", "Task.Result", "Views_Shared__Recommendations.ExecuteAsync") with { BlocksMs = 15 }],
            },
            Of("Books/WithBasket", "asyncWillHelp", "a view component waits").Waiting(15) with
            {
                Sites = [lines.Site("component", "Task.Result", "BasketViewComponent.Invoke") with { BlocksMs = 15 }],
            },
            Of("Books/Popularity", "cpuBound", "a CPU loop") with { CpuMs = Between.AtLeast(2) },
            Of("Books/Filtered", "asyncWillHelp", "an authorization filter waits").Waiting(15) with
            {
                Sites = [lines.Site("permission", "Task.Wait", "SlowPermissionFilter.OnAuthorization") with { BlocksMs = 15 }],
            },
            Of("Books/Tracked", "asyncWillHelp", "a result filter waits after an asynchronous action").Waiting(15) with
            {
                Sites = [lines.Site("tracking", "WaitHandle", "TrackingResultFilter.OnResultExecuted") with { BlocksMs = 15 }],
            },
            Of("Orders/Pay", "lockContention|cpuBound", "works under a lock", "POST") with
            {
                Sites = [lines.Site(
                    "till", "Lock",
                    "Stock.Take") with { SeenBy = SeenBy.Perhaps, OrInCaller = [In(lines, "till-caller", "OrdersController.Pay")] }],
            },
            Of("Orders/Reserve", "alreadyAsync|fine", "an asynchronous semaphore", "POST") with
            {
                Sites = [LockOfSemaphore("WaitAsync"), LockOfSemaphore("Release")],
            },
            Of("Orders/ReserveNow", "asyncWillHelp", "a semaphore, and a wait under it", "POST").Waiting(5) with
            {
                Sites =
                [
                    lines.Site(
                        "shelf", "SemaphoreSlim",
                        "Stock.Reserve") with { SeenBy = SeenBy.Perhaps,
                            OrInCaller = [In(lines, "shelf-caller", "OrdersController.ReserveNow")] },
                    lines.Site(
                        "shelf-work", "Task.Wait",
                        "Stock.Reserve") with { BlocksMs = 5, OrInCaller = [In(lines, "shelf-caller", "OrdersController.ReserveNow")] },
                    LockOfSemaphore("Release"),
                ],
            },
            Of("Orders/Find", "asyncWillHelp", "a model binder waits").Waiting(15) with
            {
                Sites = [lines.Site("binder", "Task.Wait", "OrderBinder.BindModelAsync") with { BlocksMs = 15 }],
            },
            Of("Basket/Summary", "asyncWillHelp", "a constructor waits that the container calls").Waiting(15) with
            {
                Sites = [lines.Site("basket", "Task.Result", "Basket.ctor") with { BlocksMs = 15 }],
            },
            new EndpointTruth
            {
                Endpoint = "GET /Opening", Note = "a Razor page", Verdict = "asyncWillHelp",
                Sites = [lines.Site("opening", "Task.Result", "OpeningModel.OnGet") with { BlocksMs = 15 }],
            }.Waiting(15),
            new() { Endpoint = "(static)", Verdict = "fine|alreadyAsync" },
        ];
    }

    // Callers that await the semaphore and callers that block on it both take this lock briefly. One that loses its core makes others wait.
    private static SiteTruth LockOfSemaphore(string method) =>
        new() { Kind = "Lock", Method = "SemaphoreSlim." + method, SeenBy = SeenBy.Perhaps };

    private static Call Get(string path, string action) => new("GET", path, $"GET /{action}/{{id?}}");

    private static EndpointTruth Of(string action, string verdict, string note, string method = "GET") =>
        new() { Endpoint = $"{method} /{action}/{{id?}}", Verdict = verdict, Note = note };

    private static Place In(Markers lines, string name, string method) => new(method, lines.Find(name).File, lines.Find(name).Line);
}
