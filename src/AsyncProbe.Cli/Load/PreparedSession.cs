using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Load;

/// <summary>A session and how it is run, with its requests ready to send. It is made once; every later step reads it.</summary>
/// <param name="Session">What the file says.</param>
/// <param name="Settings">What was typed, or the file says.</param>
/// <param name="Users">One list of requests per user of the session, in the same order.</param>
internal sealed record PreparedSession(Session Session, LoadSettings Settings, PreparedRequest[][] Users)
{
    public string Name => Session.Name;

    public PreparedRequest[] Requests => Users[0];

    /// <summary>One URL of every server that the session sends to.</summary>
    public IReadOnlyList<Uri> Sites { get; } = [.. Users[0].Select(request => request.Url).DistinctBy(url => url.Authority)];

    /// <exception cref="SessionException">A request has no usable URL or body.</exception>
    public static PreparedSession Create(Session session, LoadSettings settings) => new(session, settings, new RequestPreparer(session, settings).PrepareForUsers());

    /// <summary>The same requests at another rate: the rate changes nothing about them.</summary>
    public PreparedSession AtRate(double? rate) => this with { Settings = Settings with { Rate = rate } };
}
