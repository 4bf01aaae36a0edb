using System.CommandLine;
using AsyncProbe.Cli.Processes;
using AsyncProbe.Cli.Server;

namespace AsyncProbe.Cli.Options;

/// <summary>A process, given by id or name.</summary>
internal sealed class ProcessArgument
{
    private readonly Argument<string> _argument = new("pid|name")
    {
        Description = "The process id or the application's name, as asyncprobe ps lists them.",
    };

    public void AddTo(Command command) => command.Arguments.Add(_argument);

    public Task<DotnetProcess> FindAsync(ParseResult parsed)
    {
        var typed = parsed.GetRequiredValue(_argument);
        return DedicatedThread.RunAsync(() => DotnetProcesses.Find(typed));
    }
}
