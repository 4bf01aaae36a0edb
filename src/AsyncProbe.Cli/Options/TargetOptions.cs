using System.CommandLine;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Server;

namespace AsyncProbe.Cli.Options;

/// <summary>The options that choose the server, shared by <c>watch</c> and <c>report</c>.</summary>
internal sealed class TargetOptions
{
    private readonly Argument<string> _url = new("url")
    {
        Description = "The server, or its report: http://127.0.0.1:5080 means http://127.0.0.1:5080/_threadpool.",
    };
    private readonly Option<int?> _lifeline = NumberOption.Create(
        "--lifeline", null, 1, ushort.MaxValue, "The server's LifelinePort on this machine, used if the report doesn't answer.",
        "PORT");
    private readonly Option<bool> _insecure = new("--insecure", "-k") { Description = "Accept any TLS certificate." };

    public void AddTo(Command command)
    {
        command.Arguments.Add(_url);
        command.Options.Add(_lifeline);
        command.Options.Add(_insecure);
    }

    public ServerReport Report(ParseResult parsed)
    {
        var text = parsed.GetRequiredValue(_url);
        var url = Suggestion.Server(text)
            ?? throw new CommandException(ExitCode.Usage, $"\"{text}\" is not a URL; write it like http://127.0.0.1:5080.");

        var report = url.AbsolutePath == "/" ? new Uri(url, ProbeChoice.DefaultPath) : url;
        var lifeline = parsed.GetValue(_lifeline) is { } port ? new Uri($"http://127.0.0.1:{port}/") : null;
        return new ServerReport(report, lifeline, parsed.GetValue(_insecure));
    }
}
