namespace AsyncProbe.Cli.Runs;

/// <summary>One request of the session and its figures.</summary>
internal sealed record RequestFigures(string Name, string Verb, string Url, Figures Figures);
