using System.Globalization;
using System.Text;

namespace AsyncProbe.Analyzers.Reports;

/// <summary>
/// Text of a report in a warning. A report comes from elsewhere, and a build's log has one line for each warning. So there are no control
/// characters in it, and none that turn around what follows them.
/// </summary>
internal static class PrintableText
{
    public const int Longest = 200;

    public static string From(string text)
    {
        var printable = new StringBuilder(Math.Min(text.Length, Longest) + 1);
        for (var i = 0; i < text.Length; i++)
        {
            if (printable.Length >= Longest)
            {
                return printable.Append('…').ToString();
            }

            var isPair = char.IsSurrogatePair(text, i);
            if (!IsPrintable(CharUnicodeInfo.GetUnicodeCategory(text, i), isPair))
            {
                printable.Append(' ');
            }
            else
            {
                printable.Append(text, i, isPair ? 2 : 1);
            }

            i += isPair ? 1 : 0;
        }

        return printable.ToString();
    }

    private static bool IsPrintable(UnicodeCategory category, bool isPair) =>
        category is not (UnicodeCategory.Control or UnicodeCategory.Format or UnicodeCategory.LineSeparator
            or UnicodeCategory.ParagraphSeparator)
        && (isPair || category != UnicodeCategory.Surrogate);
}
