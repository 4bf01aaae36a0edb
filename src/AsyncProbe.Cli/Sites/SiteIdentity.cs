namespace AsyncProbe.Cli.Sites;

/// <summary>Identifies the same site in two runs. It excludes the line, because every edit above the line moves it.</summary>
internal readonly record struct SiteIdentity(string Endpoint, string Kind, string Method);
