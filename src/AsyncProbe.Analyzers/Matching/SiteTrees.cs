using AsyncProbe.Analyzers.Reports;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace AsyncProbe.Analyzers.Matching;

/// <summary>
/// Finds the file of each site. Paths in a report begin at the project's folder, and files may have been moved or renamed since; then the
/// type identifies the file.
/// </summary>
internal static class SiteTrees
{
    public static ILookup<SyntaxTree,
        ReportedSite> Find(Compilation compilation, IReadOnlyList<ReportedSite> sites, CancellationToken cancellationToken)
    {
        var byName = compilation.SyntaxTrees.ToLookup(tree => FileName(tree.FilePath), StringComparer.OrdinalIgnoreCase);
        var types = Types(compilation, sites, cancellationToken);
        var found = new Dictionary<(string? File, string Method), SyntaxTree?>();
        var pairs = new List<(SyntaxTree Tree, ReportedSite Site)>();
        foreach (var site in sites)
        {
            var key = (site.File, site.Method);
            if (!found.TryGetValue(key, out var tree))
            {
                found.Add(key, tree = Find(types, byName, site, cancellationToken));
            }

            if (tree is not null)
            {
                pairs.Add((tree, site));
            }
        }

        return pairs.ToLookup(pair => pair.Tree, pair => pair.Site);
    }

    // Collect all names in one pass, because every search walks all declarations, even for a single name.
    private static ILookup<string, INamedTypeSymbol> Types(
        Compilation compilation, IEnumerable<ReportedSite> sites, CancellationToken cancellationToken)
    {
        var names = new HashSet<string>(sites.SelectMany(site => site.Method.Split('.')), StringComparer.Ordinal);
        return compilation.GetSymbolsWithName(names.Contains, SymbolFilter.Type, cancellationToken).OfType<INamedTypeSymbol>()
            .ToLookup(type => type.Name, StringComparer.Ordinal);
    }

    private static SyntaxTree? Find(
        ILookup<string, INamedTypeSymbol> types, ILookup<string, SyntaxTree> byName, ReportedSite site, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var named = site.File is { } file
            ? byName[FileName(file)].Where(tree => EndsWith(tree.FilePath, file)).OrderBy(tree => tree.FilePath.Length).ToList()
            : [];
        var declaring = Declaring(types, site.Method, cancellationToken);
        return named.Find(declaring.Contains)
            ?? (declaring.Count == 0 ? named.FirstOrDefault() : declaring.Count == 1 ? declaring.First() : null);
    }

    /// <summary>Finds the files that declare a type and a member with these names.</summary>
    private static HashSet<SyntaxTree> Declaring(
        ILookup<string, INamedTypeSymbol> types, string method, CancellationToken cancellationToken)
    {
        var names = method.Split('.');
        var trees = new HashSet<SyntaxTree>();

        // In "Outer.Type.Method.LocalFunction", any name but the last may be the type.
        foreach (var name in names.Take(names.Length - 1).Distinct(StringComparer.Ordinal))
        {
            foreach (var type in types[name])
            {
                foreach (var reference in type.DeclaringSyntaxReferences)
                {
                    if (reference.GetSyntax(cancellationToken) is TypeDeclarationSyntax declaration && Declares(declaration, names))
                    {
                        trees.Add(reference.SyntaxTree);
                    }
                }
            }
        }

        return trees;
    }

    private static bool Declares(TypeDeclarationSyntax type, string[] names) => type.Members.Any(member => member switch
    {
        MethodDeclarationSyntax method => names.Contains(method.Identifier.ValueText, StringComparer.Ordinal),
        PropertyDeclarationSyntax property =>
            names.Contains(property.Identifier.ValueText, StringComparer.Ordinal) || names[names.Length - 1] is "ctor" or "cctor",
        _ => names[names.Length - 1] is "ctor" or "cctor" or "Item" or "Finalize" || names[names.Length - 1].IndexOf('_') > 0,
    });

    private static bool EndsWith(string path, string file) =>
        ("/" + path.Replace('\\', '/')).EndsWith("/" + file, StringComparison.OrdinalIgnoreCase);

    private static string FileName(string path) => path.Substring(path.LastIndexOfAny(['/', '\\']) + 1);
}
