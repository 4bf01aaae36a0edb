namespace AsyncProbe.Cli.Sessions;

/// <summary>What can be said of each request only once the options are known: URLs, variables, bodies.</summary>
internal static class SessionCheck
{
    public static void Run(Session session, List<SessionDiagnostic> diagnostics)
    {
        if (session.Requests.Count == 0)
        {
            diagnostics.Add(new(Severity.Error, 1, "There is no request in this file."));
            return;
        }

        foreach (var name in EnvironmentNames.FindIn(session))
        {
            var line = session.ActiveRequests.FirstOrDefault(request => EnvironmentNames.Texts(request).SelectMany(SessionVariables.EnvironmentIn).Contains(name))?.Line ?? 1;
            diagnostics.Add(new(Severity.Note, line, $"The environment variable {name} of the machine that runs this is sent to the server; run and compare refuse that without --allow-env {name}."));
        }

        // Without anything of the environment: a check prints URLs.
        var variables = new SessionVariables(session.Options.SessionVariables, allowedEnvironment: []);
        foreach (var request in session.Requests.Where(request => request.Url.Length > 0))
        {
            Check(request, session.Options, variables, diagnostics);
        }
    }

    private static void Check(SessionRequest request, SessionOptions options, SessionVariables variables, List<SessionDiagnostic> diagnostics)
    {
        // An inactive request is never sent, so nothing about it can stop a run.
        var error = request.Inactive ? Severity.Warning : Severity.Error;
        var unknown = variables.UnknownIn(EnvironmentNames.Texts(request));
        foreach (var name in unknown)
        {
            diagnostics.Add(new(Severity.Warning, request.Line, $"The variable {{{{{name}}}}} has no value here and is sent as it stands."));
        }

        var isOpen = SessionVariables.EnvironmentIn(request.Url + options.SiteBaseUrl).Any();
        if (!isOpen && UrlBuilder.Build(request.Url, options, baseUrl: null, variables).Problem is { } problem)
        {
            // --base-url may still give a relative URL its site, so the run asks again.
            var curable = !request.Url.StartsWith("http", StringComparison.Ordinal);
            diagnostics.Add(new(curable ? Severity.Warning : error, request.Line, problem));
        }

        if (BodyBytes.Encode(request, request.Body).Problem is { } bodyProblem)
        {
            diagnostics.Add(new(error, request.Line, bodyProblem));
        }
    }
}
