using System.Globalization;
using AsyncProbe.Cli.Sessions.Import;

namespace AsyncProbe.Cli.Sessions;

/// <summary>Checks what can only be checked once the options are known: URLs, variables and bodies.</summary>
internal static class SessionCheck
{
    /// <returns>The session with all its diagnostics.</returns>
    public static Session Complete(Session session, SessionDiagnostics diagnostics)
    {
        Run(session, diagnostics);
        return session with { Diagnostics = diagnostics.InOrder() };
    }

    private static void Run(Session session, SessionDiagnostics diagnostics)
    {
        if (session.Requests.Count == 0)
        {
            diagnostics.Add(new(Severity.Error, 1, "There is no request in this file."));
            return;
        }

        if (IsTooLarge(session) is { } sentence)
        {
            diagnostics.Add(new(Severity.Error, 1, sentence));
            return;
        }

        var lines = EnvironmentNames.FindLines(session);
        foreach (var name in EnvironmentNames.FindIn(session))
        {
            diagnostics.Add(
                new(
                    Severity.Note, lines.GetValueOrDefault(name, 1),
                    $"The environment variable {name} of the machine that runs this session is sent to the server; run and compare refuse "
                        + $"that without --allow-env {name}."));
        }

        // Read nothing from the environment, because a check prints URLs.
        var variables = new SessionVariables(session.Options.SessionVariables, allowedEnvironment: []);
        foreach (var request in session.Requests.Where(request => request.Url.Length > 0))
        {
            Check(request, session.Options, variables, diagnostics);
        }
    }

    private static string? IsTooLarge(Session session)
    {
        var (requests, options) = (session.ActiveRequests.Count(), session.Options);
        if (requests > SessionLimits.ActiveRequests)
        {
            return string.Create(
                CultureInfo.InvariantCulture,
                $"The session has {requests:N0} active requests; the most is {SessionLimits.ActiveRequests:N0}.");
        }

        // Each user has its own copy of the requests; each thread of a randomized session has its own order.
        var copies = Math.Max(options.Users.Count, options.RandomizeRequests ? options.Threads : 1);
        return (long)requests * copies <= SessionLimits.PreparedRequests ? null : string.Create(CultureInfo.InvariantCulture,
            $"The session has {requests:N0} active requests "
                + $"for {copies:N0} {(copies == options.Users.Count ? "users" : "threads in random order")}; the most "
                + $"is {SessionLimits.PreparedRequests:N0} in all.");
    }

    private static void Check(
        SessionRequest request, SessionOptions options, SessionVariables variables, SessionDiagnostics diagnostics)
    {
        // An inactive request is never sent, so nothing about it can stop a run.
        var error = request.Inactive ? Severity.Warning : Severity.Error;
        var unknown = variables.UnknownIn(EnvironmentNames.Texts(request));
        foreach (var name in unknown)
        {
            Add(Severity.Warning, $"The variable {{{{{SafeText.From(name)}}}}} has no value, so it is sent as it is written.");
        }

        var isOpen = SessionVariables.EnvironmentIn(request.Url + options.SiteBaseUrl).Any();
        if (!isOpen && UrlBuilder.Build(request.Url, options, baseUrl: null, variables).Problem is { } problem)
        {
            // --base-url may still provide the site of a relative URL, so the run checks again.
            var curable = !request.Url.StartsWith("http", StringComparison.Ordinal);
            Add(curable ? Severity.Warning : error, problem);
        }

        if (ImportedUrl.TakeUser(request.Url).User is not null)
        {
            Add(Severity.Warning, "The user in the URL is not sent; write a header Authorization.");
        }

        if (BodyBytes.Encode(request, request.Body).Problem is { } bodyProblem)
        {
            Add(error, bodyProblem);
        }

        void Add(Severity severity, string message) =>
            diagnostics.Add(new(severity, request.Line, request.JsonPath is null ? message : $"{request.JsonPath}: {message}"));
    }
}
