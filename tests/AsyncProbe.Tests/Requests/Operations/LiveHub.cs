using System.Diagnostics.CodeAnalysis;
using AsyncProbe.Tests.Blocking;
using Microsoft.AspNetCore.SignalR;

namespace AsyncProbe.Tests.Requests.Operations;

[SuppressMessage("Performance", "CA1822", Justification = "SignalR finds instance methods alone.")]
public sealed class LiveHub : Hub
{
    public const int LineOfWait = 14;

    public int Blocks(int value)
    {
        Waiting.TaskToWaitFor().Wait();
        return value;
    }

    public async Task<int> Awaits(int value)
    {
        await LaterAsync();
        return value;
    }

    [AllowBlocking("the device has no other way")]
    public int Allowed(int value)
    {
        Waiting.TaskToWaitFor().Wait();
        return value;
    }

    private static async Task LaterAsync() => await Task.Delay(Waiting.LongEnoughMs);
}
