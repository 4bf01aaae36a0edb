namespace AsyncProbe.Cli.Server;

/// <summary>Where to find the server's own report: at the target's <c>/_threadpool</c>, nowhere, or at a URL.</summary>
internal sealed record ProbeChoice(bool Off, Uri? Url)
{
    public const string DefaultPath = "/_threadpool";

    public static ProbeChoice Auto { get; } = new(Off: false, Url: null);

    public Uri GetReportUrl(Uri target) => Url ?? new Uri(target, DefaultPath);

    public string? Describe(Uri target) => Off ? null : GetReportUrl(target).ToString();
}
