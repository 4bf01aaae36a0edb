using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;

namespace AsyncProbe.Analyzers.CodeFixes;

/// <summary>
/// Awaits what blocked, where the method is async already and the awaitable twin takes the same arguments. It is not marked as shared: that
/// would tie it to one version of System.Composition, and editors bring their own.
/// </summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(AwaitCodeFixProvider))]
public sealed class AwaitCodeFixProvider : CodeFixProvider
{
    // The property of the analyzer's diagnostics that names the twin; this assembly cannot refer to that one.
    private const string Awaitable = "awaitable";

    /// <inheritdoc />
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ImmutableArray.Create(
        "BlockingEfCore", "BlockingNative", "BlockingOther", "BlockingProcess", "BlockingSemaphoreSlim", "BlockingSleep", "BlockingSyncDb",
        "BlockingSyncHttp", "BlockingSyncIO", "BlockingTaskGetResult", "BlockingTaskResult", "BlockingTaskWait", "BlockingTaskWaitAll",
        "BlockingValueTask");

    /// <inheritdoc />
    public override FixAllProvider GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <inheritdoc />
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        foreach (var diagnostic in context.Diagnostics)
        {
            if (diagnostic.Properties.TryGetValue(Awaitable, out var twin) && twin is not null
                && await AwaitedDocument.FindAsync(context.Document, diagnostic.Location.SourceSpan, twin, context.CancellationToken)
                    .ConfigureAwait(false) is { } changed)
            {
                // One key for all: who fixes all occurrences means each of them.
                var title = twin == AwaitedCall.ItsTask ? "Await it" : $"Await {twin}";
                context.RegisterCodeFix(
                    CodeAction.Create(title, _ => Task.FromResult(changed), nameof(AwaitCodeFixProvider)), diagnostic);
            }
        }
    }
}
