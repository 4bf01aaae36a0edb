using System.Net;
using AsyncProbe.Apps.Tests.Running;

namespace AsyncProbe.Apps.Tests.Warehouse;

/// <summary>Modules with their own services, middleware and endpoints, two hubs, and hosted services that block.</summary>
internal sealed class WarehouseApp : JudgedApp
{
    private const int Connections = 12;
    private const string Hubs = "Microsoft.AspNetCore.SignalR.Server: Warehouse.Modules.Live.";
    private const int CallsOfEach = 4;
    private const int Warming = 6;

    public override string Name => "Warehouse";

    public override Task<IReadOnlyList<Call>> CallsAsync(AppProcess process, Load load, AppSetting setting) =>
        Task.FromResult<IReadOnlyList<Call>>(
    [
        Get("/health"),
        Get("/inventory", "/inventory/"),
        Get("/inventory/yield"),
        Get("/inventory/audited/A001", "/inventory/audited/{article}"),
        Get("/inventory/count"),
        Get("/inventory/weigh/4000000", "/inventory/weigh/{rounds:int}"),
        Get("/inventory/weigh-later/4000000", "/inventory/weigh-later/{rounds:int}"),
        Get("/inventory/file"),
        new("POST", "/orders", "POST /orders/") { Status = HttpStatusCode.Accepted },
        new("POST", "/orders/1/ship", "POST /orders/{id:int}/ship") { Status = HttpStatusCode.Accepted },
        Get("/orders/priced"),
        Get("/orders/packed"),
        Get("/orders/legacy"),
        Get("/orders/printed"),

        // In Development the framework answers with the stack trace, which contains AsyncProbe.
        Get("/orders/failing") with { Status = HttpStatusCode.InternalServerError, IsRepeatable = !setting.IsDevelopment },
        Get("/partners/send"),
        Get("/partners/result"),
        Get("/partners/read"),
        Get("/partners/awaited"),
        Get("/live/events"),
    ]);

    public override async Task ConverseAsync(AppProcess process, Load load)
    {
        // First a few one by one: warm and, in Production, enough for AsyncProbe to start watching the hub. Then all of them.
        foreach (var (route, hub) in ((string, string)[])[("/live/stock", "StockHub"), ("/live/quiet", "QuietHub")])
        {
            for (var i = 0; i < Warming; i++)
            {
                await ConverseAsync(process, load, route, hub);
            }

            await Task.WhenAll(Enumerable.Range(0, Connections).Select(_ => ConverseAsync(process, load, route, hub)));
        }
    }

    public override void CountOwnRequests(Load load)
    {
        foreach (var (caller, called) in ((string, string)[])
            [("/partners/send", "/partner/offer"), ("/partners/result", "/partner/offer"), ("/partners/awaited", "/partner/offer"),
                ("/partners/read", "/partner/offer-in-parts")])
        {
            for (var i = load.Sent.GetValueOrDefault("GET " + caller); i > 0; i--)
            {
                load.Count("GET " + called);
            }
        }
    }

    public override IReadOnlyList<EndpointTruth> Truths()
    {
        var lines = new Markers(AppProcess.FolderOf("Warehouse.Modules"));
        return
        [
            Of("/health", "fine|cpuBound", "the framework's own"),
            Of("/inventory/", "fine", "a list"),
            Of(
                "/inventory/yield", "fine|alreadyAsync",
                "logs around an await: the logger's lock is not its own") with { MayBlockInLibraries = true },
            Of("/inventory/audited/{article}", "asyncWillHelp", "middleware of the module waits").Waiting(12) with
            {
                Sites = [lines.Site("audit", "Task.Wait", "AuditMiddleware.InvokeAsync") with { BlocksMs = 12 }],
            },
            Of(
                "/inventory/count", "lockContention|cpuBound",
                "works under a lock") with { Sites = [lines.Site("count", "Lock", "Catalogue.Count") with { SeenBy = SeenBy.Perhaps }] },
            Of("/inventory/weigh/{rounds:int}", "cpuBound", "a CPU loop") with { CpuMs = Between.AtLeast(1) },
            Of("/inventory/weigh-later/{rounds:int}", "cpuBound", "the same behind an await") with { CpuMs = Between.AtLeast(1) },
            Of("/inventory/file", "asyncWillHelp", "Thread.Sleep, which no hook sees").Sleeping(12) with
            {
                Sites = [lines.Site(
                    "file", "Sleep",
                    "Catalogue.ReadSlowly") with { SeenBy = SeenBy.Snapshot, BlocksMs = 12,
                        OrInCaller = [In(lines, "file-caller", "InventoryModule.Map")] }],
            },
            Of("/orders/", "fine", "a hosted service blocks over it, later", "POST"),
            Of(
                "/orders/{id:int}/ship", "fine", "goes on after the response",
                "POST") with
            {
                AfterResponseMs = Between.AtLeast(22),
                BlockedMs = Between.AtMost(3),
                Sites = [lines.Site("label", "Sleep", "Label.Print") with { SeenBy = SeenBy.Snapshot, BlocksMs = 25 }],
            },
            Of("/orders/priced", "asyncWillHelp", "a factory waits that the container calls").Waiting(12) with
            {
                Sites = [lines.Site("factory", "Task.GetResult", "OrdersModule.AddServices") with { BlocksMs = 12 }],
            },
            Of("/orders/packed", "cpuBound", "Parallel.For") with
            {
                CpuMs = Between.AtLeast(1),
                Sites = [lines.Site("packed", "Task.Wait", "OrdersModule.Map") with { SeenBy = SeenBy.Perhaps }],
            },
            Of("/orders/legacy", "fine", "a wait that is allowed in code").Waiting(12) with
            {
                Sites = [lines.Site(
                    "legacy", "Task.Wait",
                    "OrdersModule.Map") with { BlocksMs = 12, Allowed = "the old host is called synchronously until it is replaced" }],
            },
            Of("/orders/printed", "fine", "a wait that its attribute allows").Waiting(12) with
            {
                Sites = [lines.Site(
                    "printed", "Task.Wait", "OrdersModule.Map") with { BlocksMs = 12, Allowed = "the printer has no asynchronous driver" }],
            },
            Of("/orders/failing", "fine|alreadyAsync|cpuBound", "awaits, then throws, which is logged") with { MayBlockInLibraries = true },
            Of("/partners/send", "asyncWillHelp", "HttpClient.Send").Waiting(12) with
            {
                MayBlockInLibraries = true,
                Sites = [lines.Site(
                    "send", "SyncHttp",
                    "PartnerClient.Send") with { BlocksMs = 12, OrInCaller = [In(lines, "send-caller", "PartnersModule.Map")] }],
            },
            Of("/partners/result", "asyncWillHelp", "GetStringAsync().Result").Waiting(12) with
            {
                MayBlockInLibraries = true,
                Sites = [lines.Site(
                    "result", "Task.Result",
                    "PartnerClient.Result") with { BlocksMs = 12, OrInCaller = [In(lines, "result-caller", "PartnersModule.Map")] }],
            },
            Of("/partners/read", "asyncWillHelp", "reads a response's stream synchronously").Waiting(10) with
            {
                MayBlockInLibraries = true,
                Sites = [lines.Site("read", "SyncIO", "PartnerClient.ReadAsync") with { BlocksMs = 12 }],
            },
            Of("/partners/awaited", "alreadyAsync|fine", "the same, awaited") with { MayBlockInLibraries = true },
            Of("/partner/offer", "alreadyAsync|fine", "awaits"),
            Of("/partner/offer-in-parts", "alreadyAsync|fine", "awaits"),
            Of("/live/events", "alreadyAsync|fine", "server-sent events"),
            OfHub("StockHub/Reserve", "asyncWillHelp", "a hub method waits").Waiting(12) with
            {
                MayBlockInLibraries = true,
                Sites = [lines.Site("hub", "Task.Wait", "StockHub.Reserve") with { BlocksMs = 12 }],
            },
            OfHub(
                "QuietHub/Reserve", "alreadyAsync|fine",
                "the same, awaited; a hosted service tells its clients, and blocks over it") with { MayBlockInLibraries = true },
            .. new[] { "StockHub", "QuietHub" }.SelectMany(hub => new[] { "OnConnectedAsync", "OnDisconnectedAsync" }
                .Select(method => OfHub($"{hub}/{method}", null, "does nothing") with { MayBlockInLibraries = true })),
            // If the hub's wait counted here, it would be a site of the connection. The time has no upper bound, because a thread may stall
            // anywhere.
            .. new[] { "/live/stock", "/live/quiet" }.Select(
                route => Of(route, null, "the connection: its hub's calls are operations") with { MayBlockInLibraries = true }),
        ];
    }

    private static async Task ConverseAsync(AppProcess process, Load load, string route, string hub)
    {
        await using var client = await HubClient.ConnectAsync(process.Client.BaseAddress!, route);
        load.Count("GET " + route);
        load.Count(Hubs + hub + "/OnConnectedAsync");
        load.Count(Hubs + hub + "/OnDisconnectedAsync");
        for (var i = 0; i < CallsOfEach; i++)
        {
            load.Count(Hubs + hub + "/Reserve");
            (await client.InvokeAsync("Reserve", i)).ShouldBe(i);
        }
    }

    private static Call Get(string path, string? route = null) => new("GET", path, "GET " + (route ?? path));

    private static EndpointTruth Of(string route, string? verdict, string note, string method = "GET") => new()
    {
        Endpoint = $"{method} {route}", Verdict = verdict, Note = note,
    };

    private static EndpointTruth OfHub(string call, string? verdict, string note) => new()
    {
        Endpoint = Hubs + call,
        Verdict = verdict,
        Note = note,
    };

    private static Place In(Markers lines, string name, string method) => new(method, lines.Find(name).File, lines.Find(name).Line);
}
