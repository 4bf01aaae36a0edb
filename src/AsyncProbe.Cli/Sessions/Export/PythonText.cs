using System.Globalization;
using System.Text;

namespace AsyncProbe.Cli.Sessions.Export;

/// <summary>Python literals and expressions, in pure ASCII.</summary>
internal static class PythonText
{
    public static string Literal(string text)
    {
        var literal = new StringBuilder("\"");
        foreach (var rune in text.EnumerateRunes())
        {
            _ = rune.Value switch
            {
                '"' => literal.Append("\\\""),
                '\\' => literal.Append("\\\\"),
                '\n' => literal.Append("\\n"),
                '\r' => literal.Append("\\r"),
                >= ' ' and <= '~' => literal.Append((char)rune.Value),
                <= 0xFF => literal.Append("\\x").Append(rune.Value.ToString("x2", CultureInfo.InvariantCulture)),
                <= 0xFFFF => literal.Append("\\u").Append(rune.Value.ToString("x4", CultureInfo.InvariantCulture)),
                _ => literal.Append("\\U").Append(rune.Value.ToString("x8", CultureInfo.InvariantCulture)),
            };
        }

        return literal.Append('"').ToString();
    }

    public static string Literal(byte[] bytes) =>
        "b\"" + string.Concat(bytes.Select(value => value is >= (byte)' ' and <= (byte)'~' and not ((byte)'"' or (byte)'\\')
            ? ((char)value).ToString() : $"\\x{value.ToString("x2", CultureInfo.InvariantCulture)}")) + "\"";

    /// <summary>Variables are read from the dictionary VARIABLES.</summary>
    public static string Expression(ExportText text) => text.Parts.Count == 0
        ? "\"\""
        : string.Join(" + ", text.Parts.Select(part => part.IsVariable ? $"VARIABLES[{Literal(part.Text)}]" : Literal(part.Text)));
}
