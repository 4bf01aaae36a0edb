using System.Diagnostics;
using AsyncProbe.Common;
using AsyncProbe.Requests;

namespace AsyncProbe;

/// <summary>
/// Measures work that is not a request and has no activity source of its own: <c>using (AsyncProbeOperation.Start("nightly import")) { …
/// }</c>. The operation flows with awaits. Its time is not counted for the request or operation around it.
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

    // Returned while nothing listens to the source, and when there is no memory for an operation; it has no activity to stop.
    private static readonly AsyncProbeOperation s_unheard = new(null);

    private readonly Activity? _activity;

    private AsyncProbeOperation(Activity? activity) => _activity = activity;

    /// <summary>
    /// Starts an operation, as an activity of the source <c>AsyncProbe</c>. Does nothing where AsyncProbe doesn't measure.
    /// </summary>
    /// <param name="name">The kind of work. In the report, numbers, ids and paths in it become <c>{…}</c>.</param>
    /// <returns>The operation; dispose it where the work ends.</returns>
    /// <exception cref="ArgumentException"><paramref name="name"/> is empty.</exception>
    public static AsyncProbeOperation Start(string name)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        Activity? activity = null;
        try
        {
            activity = s_source.StartActivity(name);
            return activity is null ? s_unheard : new AsyncProbeOperation(activity);
        }
        catch (OutOfMemoryException)
        {
            // The work comes first; it goes on unmeasured.
            Faults.NoteQuietly();
            activity?.Stop();
            return s_unheard;
        }
    }

    /// <summary>Ends the operation. A second call does nothing.</summary>
    public void Dispose() => _activity?.Stop();
}
