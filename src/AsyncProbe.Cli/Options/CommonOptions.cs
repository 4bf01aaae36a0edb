using System.CommandLine;

namespace AsyncProbe.Cli.Options;

internal static class CommonOptions
{
    public static Option<bool> NoColor() => new("--no-color")
    {
        Description = "Don't use colours. The environment variable NO_COLOR does the same.",
    };

    public static Option<bool> Quiet() => new("--quiet") { Description = "Print only the result: no progress, no notes." };
}
