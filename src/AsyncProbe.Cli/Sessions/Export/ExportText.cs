using System.Text;

namespace AsyncProbe.Cli.Sessions.Export;

/// <summary>A text with variables, which each format writes in its own way.</summary>
internal sealed record ExportText(IReadOnlyList<ExportPart> Parts)
{
    public IEnumerable<string> Variables => Parts.Where(part => part.IsVariable).Select(part => part.Text);

    public static ExportText Parse(string text)
    {
        var parts = new List<ExportPart>();
        var at = 0;
        foreach (var (index, length, name) in SessionVariables.FindIn(text))
        {
            Add(text[at..index], isVariable: false);
            Add(name, isVariable: true);
            at = index + length;
        }

        Add(text[at..], isVariable: false);
        return new(parts);

        void Add(string piece, bool isVariable)
        {
            if (piece.Length > 0)
            {
                parts.Add(new(WellFormed(piece), isVariable));
            }
        }
    }

    public string Write(Func<string, string> literal, Func<string, string> variable) =>
        string.Concat(Parts.Select(part => part.IsVariable ? variable(part.Text) : literal(part.Text)));

    /// <summary>The form that a session file uses.</summary>
    public override string ToString() => Write(text => text, name => $"{{{{{name}}}}}");

    /// <summary>Half a surrogate pair is sent as U+FFFD, and XML can't contain it.</summary>
    public static string WellFormed(string text) => Encoding.UTF8.GetString(Encoding.UTF8.GetBytes(text));
}
