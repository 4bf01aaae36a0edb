namespace AsyncProbe.Cli.Sessions;

/// <summary>
/// Finds the environment variables that a session would send. The author of the file chose them, and also the server that receives them.
/// </summary>
internal static class EnvironmentNames
{
    /// <summary>Compares names as the operating system does.</summary>
    public static StringComparer Comparer { get; } = OperatingSystem.IsWindows()
        ? StringComparer.OrdinalIgnoreCase
        : StringComparer.Ordinal;

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

    /// <summary>The line of the first active request that sends each name.</summary>
    public static IReadOnlyDictionary<string, int> FindLines(Session session)
    {
        var lines = new Dictionary<string, int>(Comparer);
        foreach (var request in session.ActiveRequests)
        {
            foreach (var name in Texts(request).SelectMany(SessionVariables.EnvironmentIn))
            {
                lines.TryAdd(name, request.Line);
            }
        }

        return lines;
    }

    public static IEnumerable<string> Texts(SessionRequest request) =>
    [
        request.Url,
        request.Body,
        .. request.Headers.Select(header => header.Value),
    ];

    /// <summary>
    /// In a variable's value, only names that exist in the environment count, because <c>a%20b%20c</c> doesn't contain a name.
    /// </summary>
    private static IEnumerable<string> InValue(string value) => SessionVariables.InnerEnvironmentIn(value)
        .Where(name => Environment.GetEnvironmentVariable(name) is not null);
}
