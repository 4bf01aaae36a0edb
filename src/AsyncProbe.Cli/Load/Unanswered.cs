namespace AsyncProbe.Cli.Load;

internal readonly record struct Unanswered(int Count, TimeSpan Oldest);
