using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace AsyncProbe.Tests.House;

/// <summary>
/// Finds the sentences that a test asserts: strings of six or more words in an assertion, or in a theory's data if the test asserts that
/// parameter. So does the text that a browser is expected to show. Shouldly's custom messages don't count.
/// </summary>
internal static partial class AssertedSentences
{
    private const int Words = 6;

    private static readonly HashSet<string> s_withoutExpectation =
    [
        "ShouldBeTrue", "ShouldBeFalse", "ShouldBeNull", "ShouldNotBeNull", "ShouldBeEmpty", "ShouldNotBeEmpty", "ShouldAllBe",
        "ShouldHaveSingleItem",
    ];

    // Playwright's.
    private static readonly HashSet<string> s_shown = ["ToHaveTextAsync", "ToContainTextAsync", "ToHaveTitleAsync"];

    public static IEnumerable<string> Find(string code) =>
        from node in CSharpSyntaxTree.ParseText(code).GetRoot().DescendantNodes()
        let text = TextOf(node)
        where text is not null && Word().Count(text) >= Words && (IsAsserted(node) || IsAssertedParameter(node))
        select $"{node.GetLocation().GetLineSpan().StartLinePosition.Line + 1}: {text}";

    private static string? TextOf(SyntaxNode node) => node switch
    {
        LiteralExpressionSyntax literal when literal.IsKind(SyntaxKind.StringLiteralExpression) => literal.Token.ValueText,
        InterpolatedStringExpressionSyntax text => string.Concat(
            text.Contents.Select(part => part is InterpolatedStringTextSyntax plain ? plain.TextToken.ValueText : "{}")),
        _ => null,
    };

    private static bool IsAsserted(SyntaxNode node) => node.Ancestors().TakeWhile(parent => parent is not StatementSyntax)
        .OfType<ArgumentSyntax>().Any(IsExpectation);

    private static bool IsExpectation(ArgumentSyntax argument) =>
        argument.Parent?.Parent is InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax call } invocation
            && (call.Expression.ToString() == "Assert"
                || s_shown.Contains(call.Name.Identifier.Text)
                || (call.Name.Identifier.Text.StartsWith("Should", StringComparison.Ordinal)
                    && !s_withoutExpectation.Contains(call.Name.Identifier.Text)
                    && invocation.ArgumentList.Arguments.IndexOf(argument) == 0));

    private static bool IsAssertedParameter(SyntaxNode node)
    {
        if (node.FirstAncestorOrSelf<AttributeArgumentSyntax>() is not { Parent: AttributeArgumentListSyntax arguments } argument
            || node.FirstAncestorOrSelf<MethodDeclarationSyntax>() is not { } method)
        {
            return false;
        }

        var position = arguments.Arguments.IndexOf(argument);
        return position < method.ParameterList.Parameters.Count
            && method.DescendantNodes().OfType<IdentifierNameSyntax>().Any(
                name => name.Identifier.Text == method.ParameterList.Parameters[position].Identifier.Text && IsAsserted(name));
    }

    [GeneratedRegex(@"(?<![\w/.\-])[A-Za-z][A-Za-z'’-]*(?![\w/(=])")]
    private static partial Regex Word();
}
