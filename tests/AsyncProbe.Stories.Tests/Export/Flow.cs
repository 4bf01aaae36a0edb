using System.Globalization;

namespace AsyncProbe.Stories.Tests.Export;

/// <summary>The session <c>flow.websurge</c>: a login, then requests with the token and the cookie that it returned.</summary>
internal static class Flow
{
    /// <summary>Every login returns different values, so that values mixed up between two users would show.</summary>
    /// <param name="sent">The requests that the engine sent.</param>
    /// <param name="ofFirstLogin">The requests that one pass of the command sent.</param>
    /// <param name="users">How many users there were. Each may have ended in the middle of a pass.</param>
    /// <returns>The number of logins.</returns>
    public static int ShouldKeepValuesApart(List<string> sent, List<string> ofFirstLogin, int users)
    {
        var logins = sent.Count(IsLogin);
        var expected = Enumerable.Range(1, logins)
            .SelectMany(login => ofFirstLogin.Where(request => !IsLogin(request)).Select(request => OfLogin(request, login))).ToList();
        var others = sent.Where(request => !IsLogin(request)).ToList();

        others.ShouldBeUnique();
        others.Except(expected).ShouldBeEmpty();
        // Only the last pass of each user can be cut short.
        others.Count.ShouldBeGreaterThanOrEqualTo((logins - users) * (ofFirstLogin.Count - 1));
        return logins;
    }

    private static string OfLogin(string request, int login) =>
        request.Replace("token-1", string.Create(CultureInfo.InvariantCulture, $"token-{login}"), StringComparison.Ordinal)
            .Replace("session-1", string.Create(CultureInfo.InvariantCulture, $"session-{login}"), StringComparison.Ordinal);

    private static bool IsLogin(string request) => request.StartsWith("POST /login", StringComparison.Ordinal);
}
