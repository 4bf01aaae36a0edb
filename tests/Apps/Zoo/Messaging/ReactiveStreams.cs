using System.Reactive.Linq;

namespace Zoo.Messaging;

internal static class ReactiveStreams
{
    public static void Map(IEndpointRouteBuilder app)
    {
        // truth: GET /reactive: asyncWillHelp
        app.MapGet("/reactive", () => Observable.Timer(TimeSpan.FromMilliseconds(15)).Wait()); // blocks: WaitHandle, for 15 ms

        // truth: GET /reactive/async: alreadyAsync|fine
        app.MapGet("/reactive/async", async () => await Observable.Timer(TimeSpan.FromMilliseconds(15)));
    }
}
