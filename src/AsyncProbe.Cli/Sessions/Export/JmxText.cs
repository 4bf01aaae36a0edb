using System.Globalization;
using System.Text;

namespace AsyncProbe.Cli.Sessions.Export;

/// <summary>
/// Writes text so that JMeter evaluates it correctly. JMeter takes text literally unless it contains <c>${…}</c>; then a backslash escapes
/// the next character. Characters that XML can't contain, and braces that aren't a variable, are written with the function <c>__char</c>.
/// </summary>
internal static class JmxText
{
    public static string Write(ExportText text, Func<string, string> variable)
    {
        var evaluated = text.Variables.Any()
            || text.Parts.Any(part => part.Text.Contains("${", StringComparison.Ordinal) || part.Text.Any(IsForbidden));
        return evaluated ? text.Write(Mask, name => $"${{{variable(name)}}}") : text.ToString();
    }

    public static string Write(string text) => Write(new ExportText([new(text, IsVariable: false)]), name => name);

    /// <summary>The variable's name in JMeter. JMeter's functions begin with two underscores, so a variable's name must not.</summary>
    public static string Name(string variable) =>
        variable.StartsWith('%') ? $"env.{variable.Trim('%')}" : variable.StartsWith("__", StringComparison.Ordinal)
            ? "v" + variable
            : variable;

    private static string Mask(string text)
    {
        var masked = new StringBuilder(text.Length);
        for (var i = 0; i < text.Length; i++)
        {
            _ = text[i] switch
            {
                '\\' => masked.Append("\\\\"),
                '$' when i + 1 < text.Length && text[i + 1] == '{' => Char(masked, '$'),
                var c when IsForbidden(c) => Char(masked, c),
                var c => masked.Append(c),
            };
        }

        return masked.ToString();
    }

    private static StringBuilder Char(StringBuilder text, char c) =>
        text.Append("${__char(").Append(((int)c).ToString(CultureInfo.InvariantCulture)).Append(")}");

    private static bool IsForbidden(char c) => c is (< ' ' and not ('\t' or '\n' or '\r')) or '\uFFFE' or '\uFFFF';
}
