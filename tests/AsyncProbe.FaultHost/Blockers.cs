using AsyncProbe.TestServer;
using AsyncProbe.Tests.Blocking.Catalogue;
using AsyncProbe.TruthServer;
using Microsoft.EntityFrameworkCore;

namespace AsyncProbe.FaultHost;

/// <summary>
/// An endpoint for each way to block that the other tests know: the whole catalogue in its three positions, waits that the runtime reports
/// at another place, handlers that vanish from the stack, and commands of a database. They answer "done".
/// </summary>
internal static class Blockers
{
    private const string Answer = "done";
    private const int ShortMs = 30;

    private static readonly List<string> s_paths = [];

    /// <summary>The paths to request with GET.</summary>
    public static IReadOnlyList<string> Paths => s_paths;

    public static void Map(WebApplication app, bool isLegacy)
    {
        MapCatalogue(app);
        MapHandlers(app);
        MapLaterCalls(app);
        MapDatabase(app);
        MapLibraries(app);
        MapParts(app);
        Add(app, "/small/wait", SmallHandlers.Wait);
        Add(app, "/small/deeper", SmallHandlers.WaitDeeper);
        if (isLegacy)
        {
            app.UseMvcWithDefaultRoute();
        }
        else
        {
            app.MapControllers();
        }

        s_paths.AddRange(["/small/result", "/vanishing/based?ms=300", "/vanishing/filtered?ms=300", "/vanishing/deeper?ms=300"]);
        if (isLegacy)
        {
            s_paths.AddRange(["/Conventional/Wait", "/conventional/wait/7"]);
        }
    }

    private static void MapCatalogue(WebApplication app)
    {
        app.MapGet("/slow", async () =>
        {
            await Sins.WaitedForAsync();
            return "slow";
        });

        // The upstream is this host itself.
        app.Lifetime.ApplicationStarted.Register(() => Sins.Http = new HttpClient { BaseAddress = new Uri(app.Urls.First()) });
        foreach (var row in CatalogueRow.All.Where(row => !row.NeedsSlowBody))
        {
            Add(app, $"/{row.Method}/first", context => row.Sin(context));
            AddAsync(app, $"/{row.Method}/later", async context =>
            {
                await Task.Delay(1);
                row.Sin(context);
            });
            AddAsync(app, $"/{row.Method}/library", async context =>
            {
                await Task.Delay(1).ConfigureAwait(false);
                row.Sin(context);
            });
        }
    }

    private static void MapHandlers(WebApplication app)
    {
        Add(app, "/handlers/finally", HandlerWaits.Finally);
        Add(app, "/handlers/finallyAfterAWait", HandlerWaits.FinallyAfterAWait);
        Add(app, "/handlers/nestedFinally", HandlerWaits.NestedFinally);
        Add(app, "/handlers/catch", HandlerWaits.Catch);
        Add(app, "/handlers/catchAfterAVirtualCall", () => HandlerWaits.CatchAfterAVirtualCall(Missing()));
        Add(app, "/handlers/using", () => HandlerWaits.Using(WaitingNumbers.Make));
        Add(app, "/handlers/usingFirst", () => HandlerWaits.UsingFirst(WaitingNumbers.Make));
        Add(app, "/handlers/usingBlock", () => HandlerWaits.UsingBlock(WaitingNumbers.Make));
        Add(app, "/handlers/tryAndCatch", HandlerWaits.TryAndCatch);
        Add(app, "/handlers/tryAndCatchInAnotherWay", HandlerWaits.TryAndCatchInAnotherWay);
        Add(app, "/handlers/firstAndFinally", HandlerWaits.FirstAndFinally);
        AddAsync(app, "/handlers/async", _ => HandlerWaits.Async());
        AddAsync(app, "/handlers/usingAsync", _ => HandlerWaits.UsingAsync(WaitingNumbers.Make));
        AddAsync(app, "/handlers/unguarded", _ => HandlerWaits.Unguarded());
    }

    private static void MapLaterCalls(WebApplication app)
    {
        Add(app, "/calls/waitOne", LaterCalls.WaitOne);
        Add(app, "/calls/result", () => LaterCalls.Result().Result);
        AddAsync(app, "/calls/resultLater", _ => LaterCalls.Result());
        Add(app, "/calls/vanished", () => LaterCalls.Vanished(new Anything()));
        Add(app, "/calls/earlier", LaterCalls.Earlier);
        Add(app, "/calls/afterAWaitOfItsKind", LaterCalls.AfterAWaitOfItsKind);
        Add(app, "/calls/inWhatItCalls", () => LaterCalls.InWhatItCalls(new Anything()));
        Add(app, "/calls/inADelegate", () => LaterCalls.InADelegate(() => Thread.Sleep(ShortMs)));
        Add(app, "/calls/overridden", () => LaterCalls.Overridden(new SlowStream()));
        Add(app, "/calls/again", () => LaterCalls.Again(new SlowStream()));
    }

    private static void MapDatabase(WebApplication app)
    {
        Add(app, "/database/sync", () =>
        {
            using var database = SlowDatabase.Open();
            _ = database.Database.ExecuteSqlRaw("SELECT wait(30)");
        });
        AddAsync(app, "/database/awaited", async _ =>
        {
            await using var database = SlowDatabase.Open();
            await database.Database.ExecuteSqlRawAsync("SELECT wait(30)");
        });
        Add(app, "/database/transaction", () =>
        {
            using var database = SlowDatabase.Open();
            using var transaction = database.Database.BeginTransaction();
            _ = database.Database.ExecuteSqlRaw("SELECT wait(30)");
            transaction.Commit();
        });
    }

    private static void MapLibraries(WebApplication app)
    {
        Add(app, "/library/strategy", LibraryCallers.InAStrategy);
        Add(app, "/library/enumerator", LibraryCallers.InAnEnumerator);
        Add(app, "/library/lock", LibraryCallers.AtALock);
        Add(app, "/library/writer", LibraryCallers.AtASynchronizedWriter);
        Add(app, "/library/pipe", LibraryCallers.AtAPipe);
        Add(app, "/library/getter", LibraryCallers.InAGetter);
        AddAsync(app, "/library/function", _ => LibraryCallers.InAFunctionAsync());
    }

    private static void MapParts(WebApplication app)
    {
        Add(app, "/parts/constructor", Parts.Construct);
        s_paths.AddRange(["/parts/bound?name=x", "/parts/component"]);
    }

    private static FileStream Missing()
    {
        var stream = File.OpenRead("/dev/null");
        stream.Dispose();
        return stream;
    }

    private static void Add(WebApplication app, string path, Func<string> action) => Add(app, path, (HttpContext _) => { action(); });

    private static void Add(WebApplication app, string path, Action action) => Add(app, path, (HttpContext _) => action());

    private static void Add(WebApplication app, string path, Action<HttpContext> action)
    {
        s_paths.Add(path);
        app.MapGet(path, (HttpContext context) =>
        {
            action(context);
            return Answer;
        });
    }

    private static void AddAsync(WebApplication app, string path, Func<HttpContext, Task> action)
    {
        s_paths.Add(path);
        app.MapGet(path, async (HttpContext context) =>
        {
            await action(context);
            return Answer;
        });
    }

    private sealed class Anything : LaterCalls.IWriter, IAsyncDisposable
    {
        public void Write() => Thread.Sleep(ShortMs);

        public async ValueTask DisposeAsync() => await Task.Delay(ShortMs);
    }

    // A stream of the application's own that blocks at each byte.
    private sealed class SlowStream : MemoryStream
    {
        public override int ReadByte()
        {
            Thread.Sleep(ShortMs);
            return 1;
        }
    }
}
