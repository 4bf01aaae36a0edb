using Microsoft.AspNetCore.SignalR;

namespace AsyncProbe.TestServer;

/// <summary>A call to it does nothing, so it costs only what SignalR itself costs.</summary>
internal sealed class EmptyHub : Hub
{
    public int Echo(int number) => Context.Items.Count + number;
}
