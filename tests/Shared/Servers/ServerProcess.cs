using System.Diagnostics;

namespace AsyncProbe.Tests.Shared;

/// <summary>The test server in its own process.</summary>
internal sealed class ServerProcess : ChildProcess
{
    private ServerProcess(ProcessStartInfo start)
        : base(start)
    {
    }

    public static Task<ServerProcess> StartAsync(params string[] arguments) => StartAsync(null, arguments);

    /// <param name="configure">Changes the start information and its environment.</param>
    /// <param name="arguments">The server's arguments.</param>
    public static async Task<ServerProcess> StartAsync(Action<ProcessStartInfo>? configure, params string[] arguments)
    {
        var start = Dotnet("AsyncProbe.TestServer.dll", ["--urls", "http://127.0.0.1:0", "--log", "Information", .. arguments]);
        configure?.Invoke(start);
        var server = new ServerProcess(start);
        await server.ListenAsync();
        return server;
    }

    /// <summary>
    /// Requests <paramref name="path"/> without waiting for the answer, which is queued behind the work that the request starts.
    /// </summary>
    public void Start(string path) => _ = Client.GetAsync(new Uri(path, UriKind.Relative));
}
