namespace AsyncProbe.Cli.Load;

/// <summary>A cookie that a request of the session carries. It is sent as it is written.</summary>
/// <param name="url">The request's URL.</param>
/// <param name="pair">Its name and value.</param>
internal sealed class SessionCookie(Uri url, string pair)
{
    private readonly string _folder = url.AbsolutePath[..(url.AbsolutePath.LastIndexOf('/') + 1)];

    public string Name { get; } = pair.Split('=')[0];

    public string Pair => pair;

    /// <summary>Like a cookie without a path: for the request's host and folder.</summary>
    public bool IsFor(Uri other) => other.Host == url.Host && other.AbsolutePath.StartsWith(_folder, StringComparison.Ordinal);
}
