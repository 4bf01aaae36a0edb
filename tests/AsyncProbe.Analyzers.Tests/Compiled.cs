using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Text;

namespace AsyncProbe.Analyzers.Tests;

/// <summary>Sources compiled in memory together with reports, and the analyzer's warnings about them.</summary>
internal sealed class Compiled
{
    internal static readonly ImmutableArray<MetadataReference> References =
        [.. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(path => Path.GetFileName(path).StartsWith("System.", StringComparison.Ordinal))
            .Select(path => MetadataReference.CreateFromFile(path))];

    private readonly List<SyntaxTree> _trees = [];
    private readonly List<AdditionalText> _reports = [];
    private readonly Dictionary<string, string> _options = [];
    private AnalyzerConfigSet? _editorConfig;

    public static Compiled From(string source, string path = "/repo/src/Shop/Store.cs") => new Compiled().And(source, path);

    public Compiled And(string source, string path)
    {
        _trees.Add(CSharpSyntaxTree.ParseText(SourceText.From(source, Encoding.UTF8), path: path));
        return this;
    }

    public Compiled With(string report, string path = "/repo/blocked.asyncprobe.json")
    {
        _reports.Add(new Report(path, report));
        return this;
    }

    public Compiled Option(string name, string value)
    {
        _options[name] = value;
        return this;
    }

    /// <summary>Adds an .editorconfig above all the files, read as the compiler reads it.</summary>
    public Compiled EditorConfig(string text)
    {
        _editorConfig = AnalyzerConfigSet.Create(new[] { AnalyzerConfig.Parse(text, "/repo/.editorconfig") });
        return this;
    }

    /// <summary>The warnings as a build's log shows them, ordered by file and line.</summary>
    public async Task<IReadOnlyList<string>> WarnAsync()
    {
        var hasMain = _trees.Exists(
            tree => tree.GetRoot().DescendantNodes().OfType<Microsoft.CodeAnalysis.CSharp.Syntax.GlobalStatementSyntax>().Any());
        var compilation = CSharpCompilation.Create(
            "shop", _trees, References,
            new CSharpCompilationOptions(hasMain ? OutputKind.ConsoleApplication : OutputKind.DynamicallyLinkedLibrary));
        if (_editorConfig is { } editorConfig)
        {
            compilation = compilation.WithOptions(compilation.Options.WithSyntaxTreeOptionsProvider(new Severities(editorConfig)));
            _trees.SelectMany(tree => editorConfig.GetOptionsForSourcePath(tree.FilePath).AnalyzerOptions).ToList()
                .ForEach(option => _options[option.Key] = option.Value);
        }

        compilation.GetDiagnostics().Where(d => d.Severity == DiagnosticSeverity.Error).ShouldBeEmpty();
        var analyzed = compilation.WithAnalyzers(
            [new BlockedLineAnalyzer()], new AnalyzerOptions([.. _reports], new Options(_options)));
        using var timeout = new CancellationTokenSource(TimeSpan.FromMinutes(1));
        var found = await analyzed.GetAnalyzerDiagnosticsAsync(timeout.Token);
        return [.. found
            .Select(d => (d, at: d.Location.GetLineSpan()))
            .OrderBy(d => d.at.Path, StringComparer.Ordinal).ThenBy(d => d.at.StartLinePosition)
            .Select(d => $"{d.at.Path.Split('/')[^1]}:{d.at.StartLinePosition.Line + 1} {d.d.Id} {d.d.GetMessage(null)}")];
    }

    internal sealed class Report(string path, string text) : AdditionalText
    {
        private readonly SourceText _text = SourceText.From(text, Encoding.UTF8);

        public override string Path => path;

        public override SourceText GetText(CancellationToken cancellationToken = default) => _text;
    }

    private sealed class Severities(AnalyzerConfigSet editorConfig) : SyntaxTreeOptionsProvider
    {
        public override GeneratedKind IsGenerated(SyntaxTree tree, CancellationToken cancellationToken) => GeneratedKind.Unknown;

        public override bool TryGetDiagnosticValue(
            SyntaxTree tree, string diagnosticId, CancellationToken cancellationToken, out ReportDiagnostic severity) =>
            editorConfig.GetOptionsForSourcePath(tree.FilePath).TreeOptions.TryGetValue(diagnosticId, out severity);

        public override bool TryGetGlobalDiagnosticValue(
            string diagnosticId, CancellationToken cancellationToken, out ReportDiagnostic severity)
        {
            severity = ReportDiagnostic.Default;
            return false;
        }
    }

    private sealed class Options(Dictionary<string, string> values) : AnalyzerConfigOptionsProvider
    {
        public override AnalyzerConfigOptions GlobalOptions { get; } = new Values(values);

        public override AnalyzerConfigOptions GetOptions(SyntaxTree tree) => GlobalOptions;

        public override AnalyzerConfigOptions GetOptions(AdditionalText textFile) => GlobalOptions;
    }

    private sealed class Values(Dictionary<string, string> values) : AnalyzerConfigOptions
    {
        public override bool TryGetValue(string key, [NotNullWhen(true)] out string? value) => values.TryGetValue(key, out value);
    }
}
