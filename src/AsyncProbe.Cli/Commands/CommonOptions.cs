using System.CommandLine;

namespace AsyncProbe.Cli.Commands;

internal static class CommonOptions
{
    public static Option<bool> NoColor() => new("--no-color")
    {
        Description = "No colours; the same as the environment variable NO_COLOR.",
    };

    public static Option<bool> Quiet() => new("--quiet") { Description = "Print only the result: no progress, no notes." };
}
