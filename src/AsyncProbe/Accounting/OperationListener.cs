using System.Diagnostics;
using AsyncProbe.Common;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Accounting;

/// <summary>
/// Listens to the activity sources named in the options, and to <see cref="AsyncProbeOperation"/>. It costs nothing if the process has no
/// such source.
/// </summary>
internal sealed class OperationListener(OperationAccounting accounting, IOptions<AsyncProbeOptions> options) : IDisposable
{
    private readonly Lock _lock = new();
    private ActivityListener? _listener;

    public bool IsListening => _listener is not null;

    public void Start()
    {
        lock (_lock)
        {
            if (_listener is not null || !options.Value.Enabled)
            {
                return;
            }

            var sources = new SourceNames(options.Value.ActivitySources);

            // It's enough that the activity exists: it has its name and the tags given at creation, and we need nothing else from its
            // source.
            _listener = new ActivityListener
            {
                ShouldListenTo = source => IsWanted(sources, source),
                Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.PropagationData,
                SampleUsingParentId = static (ref ActivityCreationOptions<string> _) => ActivitySamplingResult.PropagationData,
                ActivityStarted = accounting.OnStarted,
                ActivityStopped = accounting.OnStopped,
            };
            ActivitySource.AddActivityListener(_listener);
        }
    }

    public void Dispose()
    {
        lock (_lock)
        {
            _listener?.Dispose();
            _listener = null;
        }
    }

    // Called while a source is created, often in a static constructor. An exception would make that type unusable until the process ends.
    private static bool IsWanted(SourceNames sources, ActivitySource source)
    {
        try
        {
            return sources.Match(source.Name);
        }
        catch (Exception)
        {
            Faults.NoteQuietly();
            return false;
        }
    }
}
