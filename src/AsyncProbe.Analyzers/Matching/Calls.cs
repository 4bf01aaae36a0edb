using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace AsyncProbe.Analyzers.Matching;

/// <summary>Finds the calls in those methods of a file that a report names.</summary>
internal static class Calls
{
    public const string Lock = "lock";
    public const string ForEach = "foreach";
    public const string Using = "using";
    public const string New = "new";

    public static ILookup<string, Call> Find(SyntaxNode root, ISet<string> methods, CancellationToken cancellationToken)
    {
        var found = new List<Call>();
        var lines = root.SyntaxTree.GetText(cancellationToken).Lines;
        foreach (var node in root.DescendantNodes())
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (Describe(node) is var (name, end) && MethodNames.Find(node) is { } method && methods.Contains(method))
            {
                var first = lines.GetLineFromPosition(Start(node)).LineNumber + 1;
                var last = lines.GetLineFromPosition(end).LineNumber + 1;
                found.Add(new Call(node, name, method, TextSpan.FromBounds(node.SpanStart, end), first, last));
            }
        }

        return found.ToLookup(call => call.Method, StringComparer.Ordinal);
    }

    private static (string Name, int End)? Describe(SyntaxNode node) => node switch
    {
        InvocationExpressionSyntax call =>
            CalledName(call.Expression) is { } name ? (name.Identifier.ValueText, name.Identifier.Span.End) : null,
        MemberAccessExpressionSyntax { Parent: not InvocationExpressionSyntax } access =>
            (access.Name.Identifier.ValueText, access.Name.Span.End),
        MemberBindingExpressionSyntax { Parent: not InvocationExpressionSyntax } access =>
            (access.Name.Identifier.ValueText, access.Name.Span.End),
        LockStatementSyntax statement => (Lock, statement.CloseParenToken.Span.End),
        ForEachStatementSyntax loop when loop.AwaitKeyword.IsKind(SyntaxKind.None) => (ForEach, loop.CloseParenToken.Span.End),
        UsingStatementSyntax statement when statement.AwaitKeyword.IsKind(SyntaxKind.None) => (Using, statement.CloseParenToken.Span.End),
        LocalDeclarationStatementSyntax statement when statement.UsingKeyword.IsKind(SyntaxKind.UsingKeyword)
            && statement.AwaitKeyword.IsKind(SyntaxKind.None) =>
            (Using, statement.Span.End),
        BaseObjectCreationExpressionSyntax created => (New, created.NewKeyword.Span.End),
        _ => null,
    };

    private static SimpleNameSyntax? CalledName(ExpressionSyntax called) => called switch
    {
        MemberAccessExpressionSyntax access => access.Name,
        MemberBindingExpressionSyntax access => access.Name,
        SimpleNameSyntax name => name,
        _ => null,
    };

    // The line that the compiler records: that of the statement, or of the body if it has no statements.
    private static int Start(SyntaxNode node)
    {
        for (var at = node; at.Parent is { } parent; at = parent)
        {
            if (at is StatementSyntax
                || parent is ArrowExpressionClauseSyntax or EqualsValueClauseSyntax { Parent: PropertyDeclarationSyntax }
                || (parent is AnonymousFunctionExpressionSyntax function && function.ExpressionBody == at))
            {
                return at.SpanStart;
            }
        }

        return node.SpanStart;
    }
}
