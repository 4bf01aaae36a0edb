using System.Globalization;
using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Load;

/// <summary>A session and its settings, with its requests ready to send. It is created once, and every later step reads it.</summary>
/// <param name="Session">The session from the file.</param>
/// <param name="Settings">The settings from the command line or the file.</param>
/// <param name="Users">One list of requests per user of the session, in the same order.</param>
internal sealed record PreparedSession(Session Session, LoadSettings Settings, PreparedRequest[][] Users)
{
    public string Name => Session.Name;

    public PreparedRequest[] Requests => Users[0];

    /// <summary>The names that thresholds use.</summary>
    public IEnumerable<string> RequestNames => Requests.Select(request => request.Title);

    /// <summary>One URL of every server that the session sends to.</summary>
    public IReadOnlyList<Uri> Servers { get; } = [.. Users[0].Select(request => request.Url).DistinctBy(url => url.Authority)];

    /// <exception cref="SessionException">A request has no usable URL or body, or there would be too many requests.</exception>
    public static PreparedSession Create(Session session, LoadSettings settings)
    {
        var users = new RequestPreparer(session, settings).PrepareForUsers();
        // Every thread of a randomized session has its own order; in the open model, only if the session captures values.
        var orders = settings.Once ? 1
            : !settings.IsOpen ? settings.Threads
            : users[0].Any(request => request.Captures.Length > 0) ? settings.MaxInFlight
            : 1;
        if (settings.Randomize && (long)orders * users[0].Length > SessionLimits.PreparedRequests)
        {
            throw new SessionException(string.Create(CultureInfo.InvariantCulture,
                $"{orders:N0} threads with {users[0].Length:N0} requests each in random order are more "
                    + $"than {SessionLimits.PreparedRequests:N0} in all: use fewer threads (-t)."));
        }

        return new(session, settings, users);
    }

    /// <summary>The same requests at another rate, which doesn't affect them.</summary>
    public PreparedSession AtRate(double? rate) => this with { Settings = Settings with { Rate = rate } };
}
