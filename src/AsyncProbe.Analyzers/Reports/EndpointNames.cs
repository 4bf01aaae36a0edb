namespace AsyncProbe.Analyzers.Reports;

/// <summary>
/// The distinct endpoints of a line. A warning shows the first few and the number of others. A report may name a million endpoints for one
/// line, so counting stops at a limit.
/// </summary>
internal sealed class EndpointNames
{
    public const int MostShown = 3;
    public const int MostCounted = 1000;

    private readonly HashSet<string> _names = new(StringComparer.Ordinal);
    private readonly List<string> _shown = new(MostShown);

    public IReadOnlyList<string> Shown => _shown;

    /// <summary>How many there are in addition to the shown ones.</summary>
    public int More => _names.Count - _shown.Count;

    /// <summary>Whether counting has stopped, so that there may be more.</summary>
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
        // Add the shown ones first, to keep the report's order.
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
