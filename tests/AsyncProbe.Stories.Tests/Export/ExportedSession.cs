using AsyncProbe.Stories.Tests.Import;

namespace AsyncProbe.Stories.Tests.Export;

/// <summary>A session of this folder against an echo server: the command's requests, and the same session for another engine.</summary>
internal sealed class ExportedSession
{
    private readonly EchoServer _server;
    private readonly string _file;

    private ExportedSession(EchoServer server, string file) => (_server, _file) = (server, file);

    /// <param name="server">The server that receives the requests.</param>
    /// <param name="session">Its name in this folder.</param>
    /// <param name="engine">The engine that it is for. Engines run in parallel, so each has its own folder.</param>
    public static async Task<ExportedSession> WriteAsync(EchoServer server, string session, string engine)
    {
        var folder = Directory.CreateDirectory(Path.Combine(AppContext.BaseDirectory, "export", engine)).FullName;
        var text = await File.ReadAllTextAsync(
            Path.Combine(Repository.Folder, "tests", "AsyncProbe.Stories.Tests", "Export", session + ".websurge"));
        var file = Path.Combine(folder, session + ".websurge");
        await File.WriteAllTextAsync(
            file, text.Replace("http://site/", server.Address.ToString(), StringComparison.Ordinal).ReplaceLineEndings("\r\n"));
        return new(server, file);
    }

    /// <summary>The requests that <c>asyncprobe run --once</c> sends, in order.</summary>
    public async Task<List<string>> RunOnceAsync(string? file = null)
    {
        var run = await AsyncProbeCommand.RunAsync("run", file ?? _file, "--once", "--probe", "off");
        run.ExitCode.ShouldBe(0, run.Messages);
        return _server.Drain();
    }

    /// <returns>The written file.</returns>
    public async Task<string> ExportAsync(string ending, params string[] more)
    {
        var file = Path.ChangeExtension(_file, ending);
        var export = await AsyncProbeCommand.RunAsync(["export", _file, "-o", file, "--with-secrets", .. more]);
        export.ExitCode.ShouldBe(0, export.Messages);
        return file;
    }
}
