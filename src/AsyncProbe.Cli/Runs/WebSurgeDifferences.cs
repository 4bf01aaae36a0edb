using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Runs;

/// <summary>Lists how a run differs from WebSurge with the same file, so that users don't compare figures that aren't comparable.</summary>
internal static class WebSurgeDifferences
{
    public static IReadOnlyList<string> Find(PreparedSession prepared)
    {
        var (session, settings, _) = prepared;
        if (SessionFile.IsUrl(session.Source))
        {
            return [];
        }

        var differences = new List<string>
        {
            "Failed requests are counted apart; WebSurge puts them into every average.",
            "When the time is up, the run waits for requests in flight until they time out; WebSurge drops them.",
        };
        Add(
            settings.Cookies && !settings.IsOpen,
            "Cookies last for the whole run of a thread, as in version 2; version 1 started each pass without cookies.");
        Add(settings.Randomize, "The shuffle is the same in every run and differs between threads; WebSurge seeds it by the clock.");
        Add(settings.IsOpen, "Requests start at planned times (--rate); WebSurge only has the closed model.");
        Add(
            session.Options.Username is { Length: > 0 },
            "Username and Password are not used: the password can only be decrypted on the machine that saved it. Pass the header with -H instead.");
        Add(
            session.Options.ReplaceAuthorization is { Length: > 0 },
            "ReplaceAuthorization replaces bearer headers only, as since version 2.3.");
        Add(
            session.Options.Users.Any(user => user.Forms.Count > 0),
            "A user's forms are sent with their URL, headers, variables and raw content; version 2 doesn't document their format.");
        Add(session.Requests.Any(request => TokenRule.FindAll(request).Any(rule => rule.Kind == TokenKind.CaptureAuthorization)),
            "A captured authorization replaces the bearer header of requests that carry one; the file is not changed.");
        return differences;

        void Add(bool applies, string difference)
        {
            if (applies)
            {
                differences.Add(difference);
            }
        }
    }
}
