namespace AsyncProbe.Analyzers.Reports;

/// <summary>
/// The endpoints of a line, each once. A warning shows the first few and how many more there are, so only those are kept as text, and the
/// others are counted up to a limit: a report may name a million for one line.
/// </summary>
internal sealed class EndpointNames
{
    public const int MostShown = 3;
    public const int MostCounted = 1000;

    private readonly HashSet<string> _names = new(StringComparer.Ordinal);
    private readonly List<string> _shown = new(MostShown);

    public IReadOnlyList<string> Shown => _shown;

    /// <summary>How many there are besides the shown ones.</summary>
    public int More => _names.Count - _shown.Count;

    /// <summary>Whether there may be others that were not counted.</summary>
    public bool IsFull => _names.Count >= MostCounted;

    public void Add(string name)
    {
        if (!IsFull && _names.Add(name) && _shown.Count < MostShown)
        {
            _shown.Add(name);
        }
    }

    public void Add(EndpointNames other)
    {
        // In the order in which the report has them.
        other._shown.ForEach(Add);
        foreach (var name in other._names)
        {
            if (IsFull)
            {
                return;
            }

            Add(name);
        }
    }
}
