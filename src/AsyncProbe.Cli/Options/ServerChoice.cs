using System.Globalization;
using AsyncProbe.Cli.Processes;

namespace AsyncProbe.Cli.Options;

/// <summary>What <c>--server</c> names: a running process, or a command that starts the server for each run.</summary>
internal sealed record ServerChoice
{
    /// <summary>The running process, by number or name; null for a command.</summary>
    public string? Process { get; private init; }

    /// <summary>A command line for the shell.</summary>
    public string? CommandLine { get; private init; }

    /// <summary>A program and its arguments.</summary>
    public string[]? Words { get; private init; }

    public static ServerChoice Run(string[] words) => new() { Words = words };

    /// <summary>A single word is a running process if one has that number or name. Everything else is a command line.</summary>
    public static ServerChoice Parse(string typed) => IsProcess(typed) ? new() { Process = typed } : new() { CommandLine = typed };

    private static bool IsProcess(string typed) =>
        int.TryParse(typed, NumberStyles.None, CultureInfo.InvariantCulture, out _)
        || (!typed.AsSpan().ContainsAny(" /\\") && DotnetProcesses.List().Any(
            found => found.Process?.Info.Name.Equals(typed, StringComparison.OrdinalIgnoreCase) == true));
}
