namespace AsyncProbe.Starvation.Tests;

/// <summary>A server that has compiled what its first requests need: what queues later queues for a reason.</summary>
internal static class WarmServer
{
    /// <summary>How many requests a load keeps under way.</summary>
    public const int Connections = 100;

    /// <summary>Starts a server with <paramref name="arguments"/> and asks it for <paramref name="path"/> three times.</summary>
    public static async Task<ServerProcess> StartAsync(string path, params string[] arguments)
    {
        var server = await ServerProcess.StartAsync(arguments);
        for (var i = 0; i < 3; i++)
        {
            using var response = await server.Client.GetAsync(new Uri(path, UriKind.Relative));
        }

        return server;
    }
}
