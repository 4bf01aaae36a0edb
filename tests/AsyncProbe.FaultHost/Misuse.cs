using System.Diagnostics;

namespace AsyncProbe.FaultHost;

/// <summary>Endpoints that use the rest of the public API, and use it wrongly.</summary>
internal static class Misuse
{
    private static readonly ActivitySource s_hubs = new("Microsoft.AspNetCore.SignalR.Server");

    public static void Map(WebApplication app)
    {
        app.MapGet("/wrong-arguments", () =>
        {
            Refuses(() => AsyncProbeOperation.Start(" "));
            Refuses(() => BlockingScope.Allow(""));
            Refuses(() => _ = new AllowBlockingAttribute(""));
            Refuses(() => BlockingGuard.CollectAsync(null!).GetAwaiter().GetResult());
            return "refused";
        });
        app.MapGet("/scopes", () =>
        {
            using (BlockingScope.Allow("on purpose"))
            {
                Task.Delay(5).Wait();
            }

            using (BlockingScope.Disallow())
            {
                Task.Delay(5).Wait();
            }

            Allowed.Wait();
            return "allowed";
        });
        app.MapGet("/allowed", [AllowBlocking("on purpose")] () =>
        {
            Task.Delay(5).Wait();
            return "allowed";
        });
        app.MapGet("/guard", GuardAsync);
        app.MapGet("/hub", async () =>
        {
            // As SignalR names the call of a hub's method.
            await Task.Run(() =>
            {
                using var activity = s_hubs.CreateActivity("invocation", ActivityKind.Server)
                    ?.SetTag("rpc.service", typeof(Misuse).FullName).SetTag("rpc.method", nameof(Invoke)).Start();
                Invoke();
            });
            return "invoked";
        });
    }

    public static void Invoke() => Task.Delay(5).Wait();

    // The guard is for tests, where an exception of its own fails the test as it should.
    private static async Task<string> GuardAsync()
    {
        try
        {
            await BlockingGuard.AssertNoBlockingAsync(() =>
            {
                Task.Delay(20).Wait();
                Thread.Sleep(30);
                return Task.CompletedTask;
            });
        }
        catch (Exception e) when (e is BlockingCallException or OutOfMemoryException)
        {
            return "guarded";
        }

        return "not guarded";
    }

    private static void Refuses(Action action)
    {
        try
        {
            action();
        }
        catch (Exception e) when (e is ArgumentException or OutOfMemoryException)
        {
            return;
        }

        throw new InvalidOperationException("It took a wrong argument.");
    }
}

/// <summary>What the configured rule allows.</summary>
internal static class Allowed
{
    public static void Wait() => Task.Delay(5).Wait();
}
