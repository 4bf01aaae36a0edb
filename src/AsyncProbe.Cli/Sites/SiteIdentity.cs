namespace AsyncProbe.Cli.Sites;

/// <summary>What makes a site of one run the site of another: not the line, which every edit above it moves.</summary>
internal readonly record struct SiteIdentity(string Endpoint, string Kind, string Method);
