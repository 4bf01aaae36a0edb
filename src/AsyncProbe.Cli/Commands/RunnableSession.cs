using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Commands;

/// <summary>Loads a session and refuses what cannot be run; says what is odd about the rest.</summary>
internal static class RunnableSession
{
    /// <param name="source">A file or a URL.</param>
    /// <param name="allowedEnvironment">The environment variables that may be sent.</param>
    /// <param name="target">Where warnings go.</param>
    /// <param name="cancellationToken">Ends the reading.</param>
    public static async Task<Session> LoadAsync(string source, IReadOnlyList<string> allowedEnvironment, ReportTarget target, CancellationToken cancellationToken)
    {
        var session = await SessionFile.LoadAsync(source, cancellationToken);
        var errors = session.Errors.Select(error => error.Describe(source)).ToList();
        if (errors.Count > 0)
        {
            throw new SessionException(string.Join(Environment.NewLine, errors));
        }

        if (!session.ActiveRequests.Any())
        {
            throw new CommandException(ExitCode.NothingMeasured, $"{source} has no active request: remove the header Websurge-Request-Inactive from one.");
        }

        RefuseEnvironment(session, allowedEnvironment);
        foreach (var oddity in target.Quiet ? [] : session.Oddities.Where(oddity => oddity.Severity == Severity.Warning))
        {
            await target.Output.Messages.WriteLineAsync(oddity.Describe(source));
        }

        return session;
    }

    private static void RefuseEnvironment(Session session, IReadOnlyList<string> allowed)
    {
        var refused = EnvironmentNames.In(session).Except(allowed, EnvironmentNames.Comparer).ToList();
        if (refused.Count > 0)
        {
            throw new CommandException(ExitCode.Usage,
                $"{session.Source} sends {string.Join(", ", refused)} of this machine's environment to the server, so it is not run. If the server may have that, say so: {string.Join(" ", refused.Select(name => $"--allow-env {name}"))}");
        }
    }
}
