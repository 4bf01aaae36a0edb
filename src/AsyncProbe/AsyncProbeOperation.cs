using System.Diagnostics;
using AsyncProbe.Accounting;
using AsyncProbe.Common;

namespace AsyncProbe;

/// <summary>
/// Measures work that is not a request and has no activity source: <c>using (AsyncProbeOperation.Start("nightly import")) { … }</c>. The
/// operation flows with awaits. Its time does not count for the request or operation around it.
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

    // Returned when nothing listens to the source, or without memory for an operation. It has no activity to stop.
    private static readonly AsyncProbeOperation s_none = new(null);

    private readonly Activity? _activity;

    private AsyncProbeOperation(Activity? activity) => _activity = activity;

    /// <summary>
    /// Starts an operation as an activity of the source <c>AsyncProbe</c>. Does nothing in a process that AsyncProbe doesn't measure.
    /// </summary>
    /// <param name="name">The kind of work. In the report, numbers, ids and paths in it become <c>{…}</c>.</param>
    /// <returns>The operation; dispose it where the work ends.</returns>
    /// <exception cref="ArgumentException"><paramref name="name"/> is empty or white space.</exception>
    public static AsyncProbeOperation Start(string name)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        Activity? activity = null;
        try
        {
            activity = s_source.CreateActivity(name, ActivityKind.Internal);
            if (activity is null)
            {
                return s_none;
            }

            AsyncProbeOperation operation = new(activity);
            activity.Start();
            return operation;
        }
        catch (OutOfMemoryException)
        {
            // The work must go on, even if it isn't measured. The activity may have started before a listener failed.
            Faults.NoteQuietly();
            Stop(activity);
            return s_none;
        }
    }

    /// <summary>Ends the operation. A second call does nothing.</summary>
    public void Dispose() => Stop(_activity);

    private static void Stop(Activity? activity)
    {
        try
        {
            activity?.Stop();
        }
        catch (OutOfMemoryException)
        {
            Faults.NoteQuietly();
        }
    }
}
