using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace AsyncProbe.Analyzers.CodeFixes;

/// <summary>
/// Decides where an await can be added without changing what the code means. Errors that the compiler reports when it binds the code, such
/// as an await in a lock, in a query or in unsafe code, are not checked here.
/// </summary>
internal static class AwaitSafety
{
    // A thread owns these, and the code after an await may run on another thread.
    private static readonly string[] s_ownedByThreads =
        ["Lock", "Monitor", "Mutex", "ReaderWriterLock", "ReaderWriterLockSlim", "SpinLock"];

    public static bool IsSafe(ExpressionSyntax call, SemanticModel model, CancellationToken cancellationToken) =>
        model.GetEnclosingSymbol(call.SpanStart, cancellationToken) is IMethodSymbol { IsAsync: true }
        && call.Ancestors().FirstOrDefault(IsFunction) is { } function
        && !IsCaught(call, function, model)
        && !Within(function).Any(node => IsShortLived(node, model) || HoldsByThread(node, model))
        && !Within(Statement(call, function)).OfType<ExpressionSyntax>().Any(part => IsByReference(part, model));

    private static SyntaxNode Statement(SyntaxNode call, SyntaxNode function) =>
        call.Ancestors().TakeWhile(node => node != function).FirstOrDefault(node => node is StatementSyntax) ?? function;

    private static bool IsFunction(SyntaxNode node) => node is AnonymousFunctionExpressionSyntax or LocalFunctionStatementSyntax
        or BaseMethodDeclarationSyntax or AccessorDeclarationSyntax or CompilationUnitSyntax;

    // Skips the functions inside this one.
    private static IEnumerable<SyntaxNode> Within(SyntaxNode function) =>
        function.DescendantNodes(node => node == function || !IsFunction(node));

    // Wait and Result throw an AggregateException, but await throws the inner exception.
    private static bool IsCaught(ExpressionSyntax call, SyntaxNode function, SemanticModel model) =>
        call.Ancestors().TakeWhile(node => node != function).OfType<TryStatementSyntax>()
            .Where(attempt => attempt.Block.Span.Contains(call.Span))
            .SelectMany(attempt => attempt.Catches)
            .Any(handler => handler.Declaration is { } caught
                && model.GetTypeInfo(caught.Type).Type?.ToDisplayString() == "System.AggregateException");

    // References and spans don't survive an await, but the compiler reports that only when it emits the assembly.
    private static bool IsShortLived(SyntaxNode node, SemanticModel model) => node switch
    {
        VariableDeclaratorSyntax or SingleVariableDesignationSyntax =>
            model.GetDeclaredSymbol(node) is ILocalSymbol local && (local.IsRef || local.Type.IsRefLikeType),
        CommonForEachStatementSyntax loop => model.GetForEachStatementInfo(loop).GetEnumeratorMethod?.ReturnType.IsRefLikeType == true
            || model.GetTypeInfo(loop.Expression).Type?.IsRefLikeType == true,
        UsingStatementSyntax { Expression: { } used } => model.GetTypeInfo(used).Type?.IsRefLikeType == true,
        _ => false,
    };

    private static bool HoldsByThread(SyntaxNode node, SemanticModel model) =>
        node is InvocationExpressionSyntax && model.GetSymbolInfo(node).Symbol?.ContainingType is { } type
        && type.ContainingNamespace?.ToDisplayString() == "System.Threading" && Array.IndexOf(s_ownedByThreads, type.Name) >= 0;

    private static bool IsByReference(ExpressionSyntax part, SemanticModel model) =>
        model.GetTypeInfo(part).Type?.IsRefLikeType == true
        || model.GetSymbolInfo(part).Symbol is IMethodSymbol { ReturnsByRef: true } or IMethodSymbol { ReturnsByRefReadonly: true }
            or IPropertySymbol { ReturnsByRef: true } or IPropertySymbol { ReturnsByRefReadonly: true };
}
