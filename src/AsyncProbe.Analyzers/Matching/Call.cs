using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Text;

namespace AsyncProbe.Analyzers.Matching;

/// <summary>A place in the sources that may have blocked.</summary>
/// <param name="Node">The call.</param>
/// <param name="Name">What is called; "lock", "foreach", "using" or "new" for what calls without a name.</param>
/// <param name="Method">Type and method, as a report names them.</param>
/// <param name="Span">From the beginning of the call to the end of its name.</param>
/// <param name="FirstLine">Of its statement, from 1: what a report calls its line.</param>
/// <param name="LastLine">Of its name, from 1.</param>
internal sealed record Call(SyntaxNode Node, string Name, string Method, TextSpan Span, int FirstLine, int LastLine)
{
    public bool IsAt(int line) => line >= FirstLine && line <= LastLine;

    public int Distance(int line) => IsAt(line) ? 0 : Math.Min(Math.Abs(line - FirstLine), Math.Abs(line - LastLine));
}
