namespace AsyncProbe.Cli.Sessions.Import.Json;

/// <summary>Collects messages about a JSON document by path; their lines are looked up at the end, in one pass.</summary>
internal sealed class JsonDiagnostics
{
    private readonly List<(Severity Severity, string Path, string Message)> _said = [];

    public void Add(Severity severity, string path, string message) => _said.Add((severity, path, message));

    /// <summary>Adds the lines to requests and diagnostics, and checks the session.</summary>
    public Session Complete(Session session, ReadOnlySpan<byte> json)
    {
        var lines = JsonLines.Find(
            json, [.. _said.Select(said => said.Path), .. session.Requests.Select(request => request.JsonPath ?? "$")]);
        session =
            session with { Requests = [.. session.Requests.Select(
                request => request with { Line = lines.FindLine(request.JsonPath ?? "$") })] };
        var diagnostics = new SessionDiagnostics();
        foreach (var (severity, path, message) in _said)
        {
            diagnostics.Add(new(severity, lines.FindLine(path), $"{path}: {message}"));
        }

        return SessionCheck.Complete(session, diagnostics);
    }
}
