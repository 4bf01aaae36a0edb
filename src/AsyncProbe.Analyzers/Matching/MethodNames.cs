using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace AsyncProbe.Analyzers.Matching;

/// <summary>
/// Names the type and method of a place like a report: without namespace and type parameters, and a lambda by its containing method.
/// </summary>
internal static class MethodNames
{
    /// <summary>Returns null outside of any type.</summary>
    public static string? Find(SyntaxNode node)
    {
        string? local = null;
        var isInLambda = false;
        for (var at = node; at is not null; at = at.Parent)
        {
            switch (at)
            {
                case AnonymousFunctionExpressionSyntax when local is null:
                    isInLambda = true;
                    break;
                case LocalFunctionStatementSyntax function when local is null && !isInLambda:
                    local = function.Identifier.ValueText;
                    break;
                case GlobalStatementSyntax:
                    return Join("Program.Main", local);
                case MemberDeclarationSyntax member when Member(member, node) is { } name:
                    return member.Parent is TypeDeclarationSyntax type ? Join($"{TypeName(type)}.{name}", local) : null;
            }
        }

        return null;
    }

    private static string Join(string method, string? local) => local is null ? method : $"{method}.{local}";

    private static string? Member(MemberDeclarationSyntax member, SyntaxNode node) => member switch
    {
        MethodDeclarationSyntax method => method.Identifier.ValueText,
        ConstructorDeclarationSyntax constructor => constructor.Modifiers.Any(SyntaxKind.StaticKeyword) ? "cctor" : "ctor",
        DestructorDeclarationSyntax => "Finalize",
        PropertyDeclarationSyntax property =>
            IsInitializer(property.Initializer, node) ? Initializer(property.Modifiers) : property.Identifier.ValueText,
        IndexerDeclarationSyntax => "Item",
        EventDeclarationSyntax declared =>
            (node.FirstAncestorOrSelf<AccessorDeclarationSyntax>()?.Keyword.ValueText ?? "add") + "_" + declared.Identifier.ValueText,
        BaseFieldDeclarationSyntax field => Initializer(field.Modifiers),
        OperatorDeclarationSyntax or ConversionOperatorDeclarationSyntax => "operator",
        _ => null,
    };

    private static bool IsInitializer(SyntaxNode? initializer, SyntaxNode node) => initializer?.Span.Contains(node.Span) == true;

    private static string Initializer(SyntaxTokenList modifiers) => modifiers.Any(SyntaxKind.StaticKeyword) ? "cctor" : "ctor";

    private static string TypeName(TypeDeclarationSyntax type) =>
        type.Parent is TypeDeclarationSyntax outer ? $"{TypeName(outer)}.{type.Identifier.ValueText}" : type.Identifier.ValueText;
}
