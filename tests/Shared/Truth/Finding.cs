namespace AsyncProbe.Tests.Truth;

/// <summary>The aspects that are compared.</summary>
internal enum Aspect
{
    Verdict,
    Kind,
    Method,
    Line,

    /// <summary>Whether a place that must be reported is reported.</summary>
    Site,

    /// <summary>Whether a reported place or sentence is justified.</summary>
    FalseAlarm,

    /// <summary>A measured figure.</summary>
    Figure,

    /// <summary>Whether two things that AsyncProbe says can both be true.</summary>
    Contradiction,
}

/// <summary>Something that AsyncProbe said and that isn't true.</summary>
internal sealed record Finding(string Endpoint, Aspect Aspect, string Expected, string Got)
{
    /// <summary>How the endpoint is built.</summary>
    public string Note { get; init; } = "";

    public override string ToString() => $"{Endpoint}: {Aspect}: expected {Expected}, got {Got}{(Note.Length == 0 ? "" : $" ({Note})")}";
}

/// <summary>What was compared, and what was wrong.</summary>
internal sealed class Score
{
    private readonly Dictionary<Aspect, int> _checked = [];
    private readonly List<Finding> _findings = [];

    public IReadOnlyList<Finding> Findings => _findings;

    public int Checked(Aspect aspect) => _checked.GetValueOrDefault(aspect);

    public int Wrong(Aspect aspect) => _findings.Count(f => f.Aspect == aspect);

    /// <summary>The share of right answers; 1 if none was wrong.</summary>
    public double Right(Aspect aspect) => Checked(aspect) is var all and > 0 ? 1 - ((double)Wrong(aspect) / all) : 1;

    public bool Check(bool isRight, string endpoint, Aspect aspect, string expected, string got)
    {
        _checked[aspect] = Checked(aspect) + 1;
        if (!isRight)
        {
            _findings.Add(new Finding(endpoint, aspect, expected, got));
        }

        return isRight;
    }

    /// <summary>Adds to each finding how its endpoint is built.</summary>
    public void Note(Func<string, string?> noteOf)
    {
        for (var i = 0; i < _findings.Count; i++)
        {
            _findings[i] = _findings[i] with { Note = noteOf(_findings[i].Endpoint) ?? _findings[i].Note };
        }
    }

    public void Add(Score other)
    {
        foreach (var (aspect, count) in other._checked)
        {
            _checked[aspect] = Checked(aspect) + count;
        }

        _findings.AddRange(other._findings);
    }
}
