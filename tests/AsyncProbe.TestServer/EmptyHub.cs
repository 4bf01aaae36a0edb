using Microsoft.AspNetCore.SignalR;

namespace AsyncProbe.TestServer;

/// <summary>A call of it does nothing, so it costs what SignalR itself costs.</summary>
internal sealed class EmptyHub : Hub
{
    public int Echo(int number) => Context.Items.Count + number;
}
