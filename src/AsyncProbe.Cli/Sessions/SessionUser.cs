using System.Text.Json.Nodes;

namespace AsyncProbe.Cli.Sessions;

/// <summary>A user in either format: version 1 has login URLs; version 2 has forms and an authorization.</summary>
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
