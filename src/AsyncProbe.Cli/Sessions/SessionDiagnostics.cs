using System.Collections.ObjectModel;

namespace AsyncProbe.Cli.Sessions;

/// <summary>
/// The diagnostics of one session. A file with a mistake in every line would fill the memory with messages. So no warning or note is added
/// after <see cref="Most"/> messages, and no error after twice as many. The last message says how many were left out.
/// </summary>
internal sealed class SessionDiagnostics : Collection<SessionDiagnostic>
{
    public const int Most = 1000;

    private int _leftOut;

    /// <summary>Whether only errors can still be added.</summary>
    public bool IsFull => Count >= Most;

    /// <summary>Counts a diagnostic without creating its text.</summary>
    public void LeaveOut() => _leftOut++;

    public IReadOnlyList<SessionDiagnostic> InOrder()
    {
        List<SessionDiagnostic> all = [.. this.OrderBy(diagnostic => diagnostic.Line)];
        if (_leftOut > 0)
        {
            all.Add(new(Severity.Warning, all[^1].Line, $"{_leftOut} more like these are not shown."));
        }

        return all;
    }

    protected override void InsertItem(int index, SessionDiagnostic item)
    {
        // An error decides whether the session is run, so it is kept even when notes have reached their limit.
        if (!IsFull || (item.Severity == Severity.Error && Count < 2 * Most))
        {
            base.InsertItem(index, item);
        }
        else
        {
            _leftOut++;
        }
    }
}
