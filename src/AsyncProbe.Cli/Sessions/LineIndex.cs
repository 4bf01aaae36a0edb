namespace AsyncProbe.Cli.Sessions;

/// <summary>Converts offsets in a text to 1-based line numbers.</summary>
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
