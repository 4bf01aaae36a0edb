using System.Collections.ObjectModel;

namespace AsyncProbe.Cli.Sessions;

/// <summary>
/// What was found in one session. A file that is wrong in every line would fill the memory with sentences, so warnings and notes end at
/// <see cref="Most"/>, and errors too; the last one says how many there are besides.
/// </summary>
internal sealed class SessionDiagnostics : Collection<SessionDiagnostic>
{
    public const int Most = 1000;

    private int _leftOut;

    /// <summary>Whether only errors have a place.</summary>
    public bool IsFull => Count >= Most;

    /// <summary>Counts one that is not worth its text.</summary>
    public void LeaveOut() => _leftOut++;

    public IReadOnlyList<SessionDiagnostic> InOrder()
    {
        List<SessionDiagnostic> all = [.. this.OrderBy(diagnostic => diagnostic.Line)];
        if (_leftOut > 0)
        {
            all.Add(new(Severity.Warning, all[^1].Line, $"There are {_leftOut} more like these, which are not shown."));
        }

        return all;
    }

    protected override void InsertItem(int index, SessionDiagnostic item)
    {
        // An error decides whether the session is run, so it has a place even when the notes have used up theirs.
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
