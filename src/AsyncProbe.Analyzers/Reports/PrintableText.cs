using System.Globalization;
using System.Text;

namespace AsyncProbe.Analyzers.Reports;

/// <summary>
/// Makes text from a report safe to show in a warning. Reports come from outside, and a build log has one line for each warning. So line
/// breaks, control characters and characters that reverse the direction of text become blanks, and long text is cut.
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
