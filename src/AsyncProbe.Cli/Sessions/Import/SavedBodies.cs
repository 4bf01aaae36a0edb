namespace AsyncProbe.Cli.Sessions.Import;

/// <summary>
/// Converts the line breaks of bodies to those of a session file where that changes nothing, so that they stay readable there. Other bodies
/// with different line breaks are written as base64, byte for byte. Bodies with variables are converted too, because base64 would lose the
/// variables.
/// </summary>
internal static class SavedBodies
{
    public static Session Prepare(Session session) => session with { Requests = [.. session.Requests.Select(Prepare)] };

    private static SessionRequest Prepare(SessionRequest request) =>
        request.Body.Contains('\n', StringComparison.Ordinal) && (IsJson(request) || request.Body.Contains("{{", StringComparison.Ordinal))
            ? request with { Body = LineBreaks.ToCrlf(request.Body).TrimEnd() }
            : request;

    /// <summary>A JSON string can't contain a line break, so converting line breaks doesn't change JSON.</summary>
    private static bool IsJson(SessionRequest request) =>
        request.Header("Content-Type")?.Contains("json", StringComparison.OrdinalIgnoreCase) == true;
}
