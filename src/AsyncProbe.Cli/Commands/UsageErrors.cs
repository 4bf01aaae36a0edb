using System.CommandLine;
using System.CommandLine.Parsing;
using AsyncProbe.Cli.Options;

namespace AsyncProbe.Cli.Commands;

/// <summary>Describes a mistake on the command line in one sentence, with what was probably meant.</summary>
internal static class UsageErrors
{
    private static readonly Dictionary<string, string> s_needs = new(StringComparer.Ordinal)
    {
        ["run"] = "a session file or a URL: asyncprobe run http://127.0.0.1:5080/values/delay",
        ["compare"] = "at least two sessions or saved runs: asyncprobe compare before.websurge after.websurge",
        ["check"] = "a session file: asyncprobe check session.websurge",
        ["import"] = "a document and -o FILE: asyncprobe import orders.http -o orders.websurge",
        ["export"] = "a session and -o FILE: asyncprobe export orders.websurge -o orders.jmx",
        ["watch"] = "the server's URL: asyncprobe watch http://127.0.0.1:5080",
        ["observe"] = "the URLs of the replicas: asyncprobe observe http://10.0.0.1:8080 http://10.0.0.2:8080",
        ["attach"] = "a process's number or name: asyncprobe attach 4242",
        ["look"] = "a process's number or name: asyncprobe look 4242",
        ["detach"] = "a process's number or name: asyncprobe detach 4242",
        ["start"] = "a command: asyncprobe start -- dotnet run",
        ["report"] = "the server's URL: asyncprobe report http://127.0.0.1:5080",
    };

    public static string Describe(ParseResult parsed) => WithHelp(Sentence(parsed, parsed.CommandResult.Command), parsed);

    /// <summary>Describes a word that belongs to nothing.</summary>
    public static string DescribeUnexpected(string typed, ParseResult parsed) =>
        WithHelp(Unexpected(typed, parsed.CommandResult.Command), parsed);

    private static string WithHelp(string sentence, ParseResult parsed)
    {
        var command = parsed.CommandResult.Command;
        return $"{sentence} See {(command is RootCommand ? "asyncprobe --help" : $"asyncprobe {command.Name} --help")}.";
    }

    private static string Unexpected(string typed, Command command) =>
        typed.StartsWith('-') ? NoSuchOption(typed, command) : $"\"{typed}\" is not an argument of {command.Name}.";

    private static string Sentence(ParseResult parsed, Command command)
    {
        var commands = command.Subcommands.Select(subcommand => subcommand.Name).ToList();
        if (parsed.UnmatchedTokens is [var typed, ..])
        {
            return commands.Count > 0 && !typed.StartsWith('-') ? NoSuchCommand(typed, commands) : Unexpected(typed, command);
        }

        if (commands.Count > 0)
        {
            return $"Which command? The commands are {Listed(commands)}; for example: {Example(s_needs["run"])}.";
        }

        // Our own checks come first: they name the value.
        return parsed.Errors.Select(Own).FirstOrDefault(message => message is not null)
            ?? (s_needs.TryGetValue(command.Name, out var needed) ? $"{command.Name} needs {needed}." : parsed.Errors[0].Message);
    }

    /// <summary>Null when an argument of the command is missing.</summary>
    private static string? Own(ParseError error) => error.SymbolResult switch
    {
        OptionResult { Tokens.Count: 0 } missing =>
            $"{missing.IdentifierToken?.Value ?? missing.Option.Name} needs a value: {missing.Option.Name} {missing.Option.HelpName}.",
        OptionResult { Tokens.Count: > 1, Option: { Arity.MaximumNumberOfValues: 1 } option } => $"{option.Name} is given more than once.",
        ArgumentResult { Parent: OptionResult } => error.Message,
        ArgumentResult or CommandResult => null,
        _ => error.Message,
    };

    private static string NoSuchCommand(string typed, List<string> commands) =>
        Suggestion.Url(typed) is { } url || Sessions.SessionFile.IsUrl(url = typed)
        ? $"The command is missing before {typed}: asyncprobe run {url}."
        : $"There is no command \"{typed}\".{Suggestion.DidYouMean(typed, commands)} The commands are {Listed(commands)}.";

    private static string NoSuchOption(string typed, Command command)
    {
        var names = command.Options.SelectMany(option => option.Aliases.Append(option.Name))
            .Where(name => name.StartsWith("--", StringComparison.Ordinal));
        var of = command is RootCommand ? "" : $" of {command.Name}";
        return $"There is no option {typed}{of}.{Suggestion.DidYouMean(typed, names)}";
    }

    private static string Example(string need) => need[(need.IndexOf(": ", StringComparison.Ordinal) + 2)..];

    private static string Listed(List<string> names) => $"{string.Join(", ", names.SkipLast(1))} and {names[^1]}";
}
