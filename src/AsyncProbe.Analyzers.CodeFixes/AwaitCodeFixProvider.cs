using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;

namespace AsyncProbe.Analyzers.CodeFixes;

/// <summary>
/// Replaces a call that blocked with an await, if the method is already async and the awaitable counterpart takes the same arguments. The
/// class is not marked as shared: the attribute would tie it to one version of System.Composition, and editors bring their own.
/// </summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(AwaitCodeFixProvider))]
public sealed class AwaitCodeFixProvider : CodeFixProvider
{
    // The analyzer's diagnostics name the counterpart in this property. This assembly can't reference the analyzer's assembly.
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
                // All fixes share one key, so that "fix all occurrences" includes each of them.
                var title = twin == AwaitedCall.ItsTask ? "Await it" : $"Await {twin}";
                context.RegisterCodeFix(
                    CodeAction.Create(title, _ => Task.FromResult(changed), nameof(AwaitCodeFixProvider)), diagnostic);
            }
        }
    }
}
