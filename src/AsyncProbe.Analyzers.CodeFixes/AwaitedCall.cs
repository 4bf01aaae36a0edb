using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace AsyncProbe.Analyzers.CodeFixes;

/// <summary>A call that blocked, and what to await instead.</summary>
/// <param name="Call">The whole call.</param>
/// <param name="Operand">The expression to await.</param>
internal sealed record AwaitedCall(ExpressionSyntax Call, ExpressionSyntax Operand)
{
    /// <summary>What a report suggests for a call that waits for a task.</summary>
    public const string ItsTask = "await";

    private const string Suffix = "Async";

    /// <summary>
    /// Whether it is the task itself or a method of Task. In these cases, code that compiles with the same arguments means the same.
    /// </summary>
    public static bool IsOfTasks(string twin) => twin == ItsTask || twin.IndexOf('.') > 0;

    /// <summary>Returns null if the call doesn't exist, or can't be turned into an await.</summary>
    /// <param name="root">The file's root.</param>
    /// <param name="span">From the beginning of the call to the end of its name.</param>
    /// <param name="twin">The awaitable counterpart, as the report names it.</param>
    /// <param name="model">The file's semantic model.</param>
    public static AwaitedCall? Find(SyntaxNode root, TextSpan span, string twin, SemanticModel model)
    {
        if (span.IsEmpty || root.FindToken(span.End - 1).Parent is not SimpleNameSyntax name)
        {
            return null;
        }

        var called = name.Parent is MemberAccessExpressionSyntax access && access.Name == name ? access : (ExpressionSyntax)name;
        var call = called.Parent is InvocationExpressionSyntax invocation && invocation.Expression == called ? invocation : called;
        if (call.SpanStart != span.Start || IsConditional(call))
        {
            return null;
        }

        var operand = twin == ItsTask ? WaitedTask(call, name.Identifier.ValueText, model) : Twin(call, name, twin);
        return operand is null || LosesText(call, operand, twin) ? null : new AwaitedCall(call, operand);
    }

    /// <summary>Creates the await expression that replaces the call.</summary>
    public ExpressionSyntax ToAwait()
    {
        var awaited = SyntaxFactory.AwaitExpression(
            SyntaxFactory.Token(SyntaxKind.AwaitKeyword).WithTrailingTrivia(SyntaxFactory.Space), Operand.WithoutTrivia());
        return (NeedsParentheses ? (ExpressionSyntax)SyntaxFactory.ParenthesizedExpression(awaited) : awaited).WithTriviaFrom(Call);
    }

    private bool NeedsParentheses => Call.Parent switch
    {
        MemberAccessExpressionSyntax or ElementAccessExpressionSyntax or ConditionalAccessExpressionSyntax or InvocationExpressionSyntax
            or PostfixUnaryExpressionSyntax or SwitchExpressionSyntax or WithExpressionSyntax or RangeExpressionSyntax => true,
        _ => false,
    };

    // In "a?.B.Wait()", the middle can't be awaited, and awaiting null would throw.
    private static bool IsConditional(ExpressionSyntax call) =>
        call.AncestorsAndSelf().TakeWhile(node => node is not StatementSyntax)
            .Any(node => node.Parent is ConditionalAccessExpressionSyntax parent && parent.WhenNotNull == node);

    private static ExpressionSyntax? WaitedTask(ExpressionSyntax call, string name, SemanticModel model)
    {
        var member = (call as InvocationExpressionSyntax)?.Expression ?? call;
        if (member is not MemberAccessExpressionSyntax { Expression: var receiver }
            || call is InvocationExpressionSyntax { ArgumentList.Arguments.Count: > 0 }
            || model.GetSymbolInfo(call).Symbol?.ContainingType is not { } type)
        {
            return null;
        }

        return (name, type.ContainingNamespace.ToDisplayString()) switch
        {
            ("Wait" or "Result", "System.Threading.Tasks") when type.Name is "Task" or "ValueTask" => receiver,
            ("GetResult", "System.Runtime.CompilerServices") => Awaiter(receiver),
            _ => null,
        };
    }

    // Keeps a ConfigureAwait call.
    private static ExpressionSyntax? Awaiter(ExpressionSyntax receiver) =>
        receiver is InvocationExpressionSyntax
        {
            ArgumentList.Arguments.Count: 0,
            Expression: MemberAccessExpressionSyntax { Name.Identifier.ValueText: "GetAwaiter" } access,
        }
            ? access.Expression : null;

    private static InvocationExpressionSyntax? Twin(ExpressionSyntax call, SimpleNameSyntax name, string twin)
    {
        if (call is not InvocationExpressionSyntax invocation)
        {
            return null;
        }

        var identifier = SyntaxFactory.Identifier(twin.Substring(twin.LastIndexOf('.') + 1)).WithTriviaFrom(name.Identifier);
        return (twin, name.Identifier.ValueText) switch
        {
            ("Task.Delay", "Sleep") or ("Task.WhenAll", "WaitAll") or ("Task.WhenAny", "WaitAny") =>
                invocation.WithExpression(SyntaxFactory.MemberAccessExpression(
                    SyntaxKind.SimpleMemberAccessExpression,
                    SyntaxFactory.IdentifierName("Task"), SyntaxFactory.IdentifierName(identifier))),
            (_, var old) when twin == old + Suffix => invocation.ReplaceNode(name, name.WithIdentifier(identifier)),
            _ => null,
        };
    }

    // A comment or directive between the task and the end of the call would be lost.
    private static bool LosesText(ExpressionSyntax call, ExpressionSyntax operand, string twin) =>
        twin == ItsTask && call.DescendantTrivia().Any(trivia => trivia.SpanStart >= operand.Span.End && trivia.SpanStart < call.Span.End
            && !trivia.IsKind(SyntaxKind.WhitespaceTrivia) && !trivia.IsKind(SyntaxKind.EndOfLineTrivia));
}
