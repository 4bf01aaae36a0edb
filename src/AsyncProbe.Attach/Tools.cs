using AsyncProbe.Common;

namespace AsyncProbe.Attach;

/// <summary>
/// The tools that use the probe. Once the last one has left, or one has asked the probe to leave, no other tool can join. It attaches
/// again when this probe is gone.
/// </summary>
/// <param name="isKept">Whether the probe stays although no tool uses it. A tool that joins may also ask for that.</param>
internal sealed class Tools(bool isKept)
{
    private readonly Lock _lock = new();
    private bool _isKept = isKept;
    private Timestamp _lastSeen = Timestamp.Now();
    private bool _isClosed;

    // On a crowded machine, it takes the first tool a while to find the socket.
    private Duration _patience = 30 * Duration.Second;

    /// <returns>False if the probe is leaving.</returns>
    public bool TryAdd(ToolSettings settings)
    {
        lock (_lock)
        {
            // A tool may come and go between two looks.
            (_lastSeen, _patience) = (Timestamp.Now(), 2 * Duration.Second);
            _isKept |= settings.IsKept;
            return !_isClosed;
        }
    }

    /// <summary>Asks the probe to leave, even while tools use it.</summary>
    public void Dismiss()
    {
        lock (_lock)
        {
            _isClosed = true;
        }
    }

    /// <summary>Whether the probe has to leave.</summary>
    /// <param name="held">How many tools hold a connection.</param>
    public bool HaveLeft(int held)
    {
        lock (_lock)
        {
            if (held > 0 || _isKept)
            {
                _lastSeen = Timestamp.Now();
            }

            return _isClosed |= _lastSeen.Elapsed() > _patience;
        }
    }
}
