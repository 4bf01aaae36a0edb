using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Text;

namespace AsyncProbe.Analyzers.Matching;

/// <summary>A place in the sources that may have blocked.</summary>
/// <param name="Node">The call.</param>
/// <param name="Name">The called method; "lock", "foreach", "using" or "new" for a call without a name.</param>
/// <param name="Method">The calling type and method, as in a report.</param>
/// <param name="Span">From the beginning of the call to the end of its name.</param>
/// <param name="FirstLine">The first line of its statement, 1-based. Reports use this line.</param>
/// <param name="LastLine">The line of its name, 1-based.</param>
internal sealed record Call(SyntaxNode Node, string Name, string Method, TextSpan Span, int FirstLine, int LastLine)
{
    public bool IsAt(int line) => line >= FirstLine && line <= LastLine;

    public int Distance(int line) => IsAt(line) ? 0 : Math.Min(Math.Abs(line - FirstLine), Math.Abs(line - LastLine));
}
