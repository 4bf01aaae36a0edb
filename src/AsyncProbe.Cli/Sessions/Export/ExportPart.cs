namespace AsyncProbe.Cli.Sessions.Export;

/// <summary>A piece of a text: a variable's name, or literal text. <c>%NAME%</c> is an environment variable.</summary>
internal readonly record struct ExportPart(string Text, bool IsVariable);
