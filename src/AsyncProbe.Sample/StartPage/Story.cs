namespace AsyncProbe.Sample.StartPage;

/// <summary>One story of the sample, as the start page shows it.</summary>
/// <param name="Title">Its name.</param>
/// <param name="Claim">What it shows, in one sentence.</param>
/// <param name="Sessions">The load sessions that show it, in the folder <c>websurge</c>.</param>
/// <param name="Filter">What its endpoints have in common; filters the report.</param>
/// <param name="Routes">The routes to call.</param>
internal sealed record Story(
    string Title, string Claim, IReadOnlyList<string> Sessions, string Filter, params IReadOnlyList<StoryRoute> Routes);

/// <summary>A route of a story.</summary>
internal sealed record StoryRoute(string Path, string Does, string Method = "GET");
