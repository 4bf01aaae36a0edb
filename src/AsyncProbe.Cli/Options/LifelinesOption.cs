using System.CommandLine;
using System.Globalization;
using AsyncProbe.Cli.Outcomes;

namespace AsyncProbe.Cli.Options;

/// <summary>
/// The lifelines of several replicas, in the order of their URLs. A replica that doesn't answer can't say where its lifeline is.
/// </summary>
internal sealed class LifelinesOption
{
    private const string None = "off";

    private readonly Option<string[]> _option = new("--lifeline")
    {
        HelpName = "PORT",
        Description = "The LifelinePort on this machine of the first replica, then of the second, and so on, used if a report doesn't "
            + $"answer; '{None}' for a replica without one. Not needed for a replica that answers at first, because its report says where. "
            + "Repeatable.",
    };

    public void AddTo(Command command) => command.Options.Add(_option);

    /// <summary>Returns each URL once, with its lifeline's port.</summary>
    /// <exception cref="CommandException">A value is not a port, or there are more lifelines than URLs.</exception>
    public IReadOnlyList<(string Url, int? Lifeline)> Pair(ParseResult parsed, IReadOnlyList<string> urls)
    {
        var ports = (parsed.GetValue(_option) ?? []).Select(Port).ToList();
        return ports.Count > urls.Count
            ? throw new CommandException(ExitCode.Usage,
                string.Create(CultureInfo.InvariantCulture, $"There are more lifelines ({ports.Count}) than replicas ({urls.Count})."))
            : [.. urls.Select((url, i) => (Url: url, Lifeline: i < ports.Count ? ports[i] : null))
                .DistinctBy(pair => pair.Url, StringComparer.OrdinalIgnoreCase)];
    }

    private static int? Port(string typed) => typed switch
    {
        None => null,
        _ when ushort.TryParse(typed, NumberStyles.None, CultureInfo.InvariantCulture, out var port) && port > 0 => port,
        _ => throw new CommandException(ExitCode.Usage, $"--lifeline is \"{typed}\"; it takes a port, 1 to 65,535, or {None}."),
    };
}
