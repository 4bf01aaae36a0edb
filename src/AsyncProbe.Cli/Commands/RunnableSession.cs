using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Commands;

/// <summary>Loads a session and refuses what cannot be run; says what is odd about the rest.</summary>
internal static class RunnableSession
{
    public static async Task<Session> LoadAsync(string source, ReportTarget target, CancellationToken cancellationToken)
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

        foreach (var oddity in target.Quiet ? [] : session.Oddities.Where(oddity => oddity.Severity == Severity.Warning))
        {
            await target.Output.Messages.WriteLineAsync(oddity.Describe(source));
        }

        return session;
    }
}
