namespace AsyncProbe.Cli.Sessions.Export;

/// <summary>What JMeter sends differently from the session, or not at all.</summary>
internal static class JmxLosses
{
    private static readonly HashSet<string> s_verbs = ["GET", "POST", "HEAD", "PUT", "OPTIONS", "TRACE", "DELETE", "PATCH"];

    public static bool KnowsVerb(ExportRequest request) => s_verbs.Contains(request.Verb);

    public static IEnumerable<string> Find(ExportRequest request)
    {
        if (!KnowsVerb(request))
        {
            yield return $"\"{request.Title}\": JMeter does not know the verb {request.Verb}, so the request is disabled.";
        }

        if (request.HasBody && request.Verb is "HEAD" or "OPTIONS" or "TRACE")
        {
            yield return $"The body of \"{request.Title}\": JMeter sends none with {request.Verb}.";
        }

        if (request.HasBody && request.Header("Content-Type") is null)
        {
            yield return $"\"{request.Title}\" has a body without a content type: JMeter gives it one.";
        }

        if (!request.HasBody && request.Verb == "DELETE" && request.Header("Content-Type") is null)
        {
            yield return $"\"{request.Title}\" has no body: JMeter 2.13 gives it a content type all the same.";
        }

        if (request.PathAndQuery.ToString().Split('?')[0].Contains("//", StringComparison.Ordinal))
        {
            yield return $"Two slashes in a row in the path of \"{request.Title}\": JMeter sends one.";
        }
    }
}
