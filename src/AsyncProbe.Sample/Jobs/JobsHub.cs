using System.Diagnostics.CodeAnalysis;
using Microsoft.AspNetCore.SignalR;

namespace AsyncProbe.Sample.Jobs;

/// <summary>A SignalR hub. Each call is a separate operation; the connection is one endless request.</summary>
[SuppressMessage("Performance", "CA1822", Justification = "SignalR only finds instance methods.")]
internal sealed class JobsHub : Hub
{
    private const int MostMs = 5_000;

    public void Blocks(int ms) => Task.Delay(Math.Clamp(ms, 0, MostMs)).Wait();

    public async Task Awaits(int ms) => await Task.Delay(Math.Clamp(ms, 0, MostMs), Context.ConnectionAborted);
}
