using System.Text.Json.Nodes;

namespace AsyncProbe.Cli.Sessions;

/// <summary>A user of either shape: version 1 has login URLs, version 2 forms and an authorization of its own.</summary>
internal sealed record SessionUser(bool IsActive, string? AuthCookie, string? Authorization, IReadOnlyList<LoginForm> Forms)
{
    public static IReadOnlyList<SessionUser> ReadAll(JsonArray users) =>
        [.. users.OfType<JsonObject>().Select(Read).Where(user => user.IsActive)];

    private static SessionUser Read(JsonObject user) => new(
        user[nameof(IsActive)] is not JsonValue active || !active.TryGetValue(out bool on) || on,
        LoginForm.Text(user[nameof(AuthCookie)]),
        LoginForm.Text(user[nameof(Authorization)]),
        [.. LoginForm.ReadAll(user["LoginUrls"]), .. LoginForm.ReadAll(user["HttpForms"])]);
}
