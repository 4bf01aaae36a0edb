namespace AsyncProbe.Cli.Sessions.Export;

/// <summary>A piece of a text: the name of a variable, or text as it is. <c>%NAME%</c> is a variable of the environment.</summary>
internal readonly record struct ExportPart(string Text, bool IsVariable);
