using System.Diagnostics;
using AsyncProbe.Requests;

namespace AsyncProbe;

/// <summary>
/// Measures work that is no request and has no activity source of its own: <c>using (AsyncProbeOperation.Start("nightly import")) { …
/// }</c>. It flows with awaits. Its time is its own, and not that of a request or an operation around it.
/// </summary>
/// <example>
/// <code>
/// using AsyncProbe;
///
/// public class PriceImport : BackgroundService
/// {
///     protected override async Task ExecuteAsync(CancellationToken stop)
///     {
///         using var timer = new PeriodicTimer(TimeSpan.FromMinutes(5));
///         while (await timer.WaitForNextTickAsync(stop))
///         {
///             using (AsyncProbeOperation.Start("price import"))
///             {
///                 await File.WriteAllTextAsync("prices.txt", "...", stop);
///             }
///         }
///     }
/// }
/// </code>
/// </example>
public sealed class AsyncProbeOperation : IDisposable
{
    private static readonly ActivitySource s_source = new(SourceNames.Own);

    // Nobody listens, so there is nothing to stop.
    private static readonly AsyncProbeOperation s_unheard = new(null);

    private readonly Activity? _activity;

    private AsyncProbeOperation(Activity? activity) => _activity = activity;

    /// <summary>Begins one, as an activity of the source <c>AsyncProbe</c>. Where AsyncProbe does not measure, it does nothing.</summary>
    /// <param name="name">The kind of work. In the report, numbers, ids and paths in it become <c>{…}</c>.</param>
    /// <returns>The operation; dispose it where the work ends.</returns>
    /// <exception cref="ArgumentException"><paramref name="name"/> is empty.</exception>
    public static AsyncProbeOperation Start(string name)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        return s_source.StartActivity(name) is { } activity ? new AsyncProbeOperation(activity) : s_unheard;
    }

    /// <summary>Ends it. A second call does nothing.</summary>
    public void Dispose() => _activity?.Stop();
}
