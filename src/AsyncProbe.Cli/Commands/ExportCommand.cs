using System.CommandLine;
using AsyncProbe.Cli.Options;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Sessions;
using AsyncProbe.Cli.Sessions.Export;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Commands;

/// <summary><c>export</c>: writes anything that <c>run</c> reads for an engine that spreads load over several machines.</summary>
internal static class ExportCommand
{
    public static Command Create(Output output)
    {
        var source = new Argument<string>("session")
        {
            HelpName = "session.websurge | url",
            Description = "A session file (.websurge, or a document that import reads), or a URL to GET.",
        };
        var target = new Option<string>("--output", "-o")
        {
            HelpName = "FILE",
            Required = true,
            Description = $"The file to write: {Exporter.Names}.",
        };
        var threads = NumberOption.Create(
            "--threads", "-t", 1, SessionLimits.Threads, "Simulated threads. Default: from the file, else 2.");
        var seconds = NumberOption.Create(
            "--seconds", "-s", 1, SessionLimits.Seconds, "Seconds to run. Default: from the file, else 10.");
        var delay = NumberOption.Create("--delay", null, 0, SessionLimits.DelayMs, "Pause after each request, in ms.", "MS");
        var baseUrl = new Option<string?>("--base-url")
        {
            HelpName = "URL",
            Description = "The server to send to. Also replaces the server in absolute URLs.",
        };
        var withSecrets = new Option<bool>("--with-secrets")
        {
            Description = "Also write tokens, cookies and passwords. Otherwise they become empty variables.",
        };
        var import = new ImportOptions();
        var command = new Command(
            "export", "Convert a session for JMeter or Locust, or to .http or .har. The file and the output list what can't be converted.")
        {
            source, target, threads, seconds, delay, baseUrl, withSecrets,
        };
        import.AddTo(command);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var (from, file) = (parsed.GetRequiredValue(source), parsed.GetRequiredValue(target));
            SessionSource.Check(from);
            var session = await SessionFile.LoadAsync(from, import.Settings(parsed), cancellationToken);
            foreach (var diagnostic in session.Diagnostics.Where(diagnostic => diagnostic.Severity != Severity.Note))
            {
                await output.Messages.WriteLineAsync(diagnostic.Describe(session.Source));
            }

            if (session.Errors.Any())
            {
                await output.Messages.WriteLineAsync("Nothing was written.");
                return ExitCode.Usage;
            }

            var plan = ExportPlanner.Create(session, new ExportSettings
            {
                Threads = parsed.GetValue(threads),
                Seconds = parsed.GetValue(seconds),
                DelayMs = parsed.GetValue(delay),
                BaseUrl = parsed.GetValue(baseUrl),
                WithSecrets = parsed.GetValue(withSecrets),
            });
            var exported = Exporter.Write(plan, file);
            await OutputFile.WriteAsync(file, "file", exported.Text);
            await output.Messages.WriteLineAsync($"{FigureText.Count(plan.Requests.Count, "request")} written to {file}. At its top:");
            foreach (var line in ExportComment.Lines(plan, exported.Losses))
            {
                await output.Messages.WriteLineAsync("  " + line);
            }

            return ExitCode.Done;
        });
        return command;
    }
}
