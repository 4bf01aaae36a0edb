using System.CommandLine;

namespace AsyncProbe.Cli.Commands;

/// <summary>Options that several commands share.</summary>
internal static class CommonOptions
{
    public static Option<bool> NoColor() => new("--no-color") { Description = "No colours. The environment variable NO_COLOR says the same." };

    public static Option<bool> Quiet() => new("--quiet") { Description = "No progress, no notes: the result alone." };
}
