using AsyncProbe.Common;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>
/// The stack source that the application registered. It may be foreign code, and it is called while the host starts and while a report is
/// made, so its exceptions are counted and not passed on.
/// </summary>
internal sealed class GuardedSource(IEnumerable<IStackSource> sources, IOptions<AsyncProbeOptions> options, Faults faults)
{
    private static Duration IntervalOtherwise => Duration.FromMilliseconds(30_000);

    private readonly IStackSource? _source = options.Value.Enabled ? sources.LastOrDefault() : null;

    public bool Exists => _source is not null;

    /// <summary>Why the source can't take stacks here; null when it can, or without a source.</summary>
    public string? NotAvailable =>
        Ask(source => source.NotAvailable, "stack snapshots: the stack source failed when it was asked whether it can take any.");

    /// <summary>The source; null without one, or when it can't take stacks here.</summary>
    public IStackSource? Available => NotAvailable is null ? _source : null;

    public Duration Interval => Ask(source => Duration.From(source.Interval), IntervalOtherwise);

    public bool HasWindows => Ask(source => source.HasWindows, false);

    private T? Ask<T>(Func<IStackSource, T?> question, T? otherwise)
    {
        try
        {
            return _source is null ? default : question(_source);
        }
        catch (Exception e)
        {
            faults.Note(e);
            return otherwise;
        }
    }
}
