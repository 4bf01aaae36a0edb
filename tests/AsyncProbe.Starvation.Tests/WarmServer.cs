namespace AsyncProbe.Starvation.Tests;

/// <summary>A server that has compiled what its first requests need, so that later queueing has a real cause.</summary>
internal static class WarmServer
{
    /// <summary>How many requests a load keeps in flight.</summary>
    public const int Connections = 100;

    /// <summary>Starts a server with <paramref name="arguments"/> and requests <paramref name="path"/> three times.</summary>
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
