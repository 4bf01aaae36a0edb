namespace AsyncProbe.Cli.Sessions;

/// <summary>The environment variables that a session asks to be sent: whoever wrote the file chose them, and the server too.</summary>
internal static class EnvironmentNames
{
    /// <summary>Names are compared as the system does.</summary>
    public static StringComparer Comparer { get; } = OperatingSystem.IsWindows() ? StringComparer.OrdinalIgnoreCase : StringComparer.Ordinal;

    public static IReadOnlyList<string> FindIn(Session session)
    {
        var options = session.Options;
        IEnumerable<string?> texts =
        [
            .. session.ActiveRequests.SelectMany(Texts), options.SiteBaseUrl, options.ReplaceCookieValue, options.ReplaceAuthorization,
        ];
        return
        [
            .. texts.OfType<string>().SelectMany(SessionVariables.EnvironmentIn)
                .Concat(options.SessionVariables.SelectMany(variable => InValue(variable.Value)))
                .Distinct(Comparer),
        ];
    }

    public static IEnumerable<string> Texts(SessionRequest request) => [request.Url, request.Body, .. request.Headers.Select(header => header.Value)];

    /// <summary>In a variable's value, where <c>a%20b%20c</c> is no name: only what the environment has counts.</summary>
    private static IEnumerable<string> InValue(string value) => SessionVariables.InnerEnvironmentIn(value)
        .Where(name => Environment.GetEnvironmentVariable(name) is not null);
}
