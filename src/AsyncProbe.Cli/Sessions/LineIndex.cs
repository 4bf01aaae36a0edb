namespace AsyncProbe.Cli.Sessions;

/// <summary>Turns offsets of a text into line numbers, 1-based.</summary>
internal sealed class LineIndex
{
    private readonly List<int> _starts = [0];

    public LineIndex(string text)
    {
        for (var i = text.IndexOf('\n'); i >= 0; i = text.IndexOf('\n', i + 1))
        {
            _starts.Add(i + 1);
        }
    }

    public int LineAt(int offset)
    {
        var found = _starts.BinarySearch(offset);
        return found >= 0 ? found + 1 : ~found;
    }
}
