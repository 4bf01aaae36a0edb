namespace AsyncProbe.Cli.Sessions.Import;

/// <summary>
/// Gives bodies the line breaks of a session file where that changes nothing, so that they stay readable there. Other bodies with line
/// breaks of their own are written as base64, byte by byte; but not those with variables in them, which would be lost.
/// </summary>
internal static class SavedBodies
{
    public static Session Prepare(Session session) => session with { Requests = [.. session.Requests.Select(Prepare)] };

    private static SessionRequest Prepare(SessionRequest request) =>
        request.Body.Contains('\n', StringComparison.Ordinal) && (IsJson(request) || request.Body.Contains("{{", StringComparison.Ordinal))
            ? request with { Body = request.Body.ReplaceLineEndings("\r\n").TrimEnd() }
            : request;

    /// <summary>No text of JSON holds a line break.</summary>
    private static bool IsJson(SessionRequest request) =>
        request.Header("Content-Type")?.Contains("json", StringComparison.OrdinalIgnoreCase) == true;
}
