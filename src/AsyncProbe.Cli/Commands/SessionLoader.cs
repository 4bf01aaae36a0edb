using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Options;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Sessions;
using AsyncProbe.Cli.Sessions.Import;

namespace AsyncProbe.Cli.Commands;

/// <summary>Loads and prepares a session, rejects one that cannot be run, and prints its warnings.</summary>
internal static class SessionLoader
{
    private const int MostErrors = 20;
    private const int MostNames = 10;

    /// <param name="source">A file or a URL.</param>
    /// <param name="import">How to read another tool's document.</param>
    /// <param name="settings">Creates the settings from the session's own options.</param>
    /// <param name="target">Where warnings go.</param>
    public static async Task<PreparedSession> LoadAsync(
        string source, ImportSettings import, Func<SessionOptions, LoadSettings> settings, ReportTarget target,
        CancellationToken cancellationToken)
    {
        SessionSource.Check(source);
        var session = await SessionFile.LoadAsync(source, import, cancellationToken);
        var errors = session.Errors.Take(MostErrors).Select(error => error.Describe(session.Source)).ToList();
        if (errors.Count > 0)
        {
            throw new SessionException(string.Join(Environment.NewLine, errors));
        }

        if (!session.ActiveRequests.Any())
        {
            throw new CommandException(
                ExitCode.NothingMeasured, $"{session.Source} has no active request: remove the header Websurge-Request-Inactive from one.");
        }

        var planned = settings(session.Options);
        RefuseEnvironment(session, planned.AllowedEnvironment);
        foreach (var diagnostic in target.Quiet ? [] : session.Diagnostics.Where(diagnostic => diagnostic.Severity == Severity.Warning))
        {
            await target.Output.Messages.WriteLineAsync(diagnostic.Describe(session.Source));
        }

        return PreparedSession.Create(session, planned);
    }

    private static void RefuseEnvironment(Session session, IReadOnlyList<string> allowed)
    {
        var refused = EnvironmentNames.FindIn(session).Except(allowed, EnvironmentNames.Comparer).ToList();
        if (refused.Count > 0)
        {
            var more = refused.Count > MostNames ? $" and {refused.Count - MostNames} more" : "";
            throw new CommandException(ExitCode.Usage,
                $"{session.Source} would send environment variables of this machine to the server "
                    + $"({string.Join(", ", refused.Take(MostNames))}{more}), so it is not run. If the server may see them, allow "
                    + $"them: {string.Join(" ", refused.Take(MostNames).Select(name => $"--allow-env {name}"))}");
        }
    }
}
