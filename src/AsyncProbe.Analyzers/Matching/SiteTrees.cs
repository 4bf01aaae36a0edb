using AsyncProbe.Analyzers.Reports;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace AsyncProbe.Analyzers.Matching;

/// <summary>
/// The file of each site. A report has paths from the project's folder on, and files are moved and renamed: then the type says which file
/// it is.
/// </summary>
internal static class SiteTrees
{
    public static ILookup<SyntaxTree,
        ReportedSite> Find(Compilation compilation, IEnumerable<ReportedSite> sites, CancellationToken cancellationToken)
    {
        var byName = compilation.SyntaxTrees.ToLookup(tree => FileName(tree.FilePath), StringComparer.OrdinalIgnoreCase);
        var found = new Dictionary<(string? File, string Method), SyntaxTree?>();
        var pairs = new List<(SyntaxTree Tree, ReportedSite Site)>();
        foreach (var site in sites)
        {
            var key = (site.File, site.Method);
            if (!found.TryGetValue(key, out var tree))
            {
                found.Add(key, tree = Find(compilation, byName, site, cancellationToken));
            }

            if (tree is not null)
            {
                pairs.Add((tree, site));
            }
        }

        return pairs.ToLookup(pair => pair.Tree, pair => pair.Site);
    }

    private static SyntaxTree? Find(
        Compilation compilation, ILookup<string, SyntaxTree> byName, ReportedSite site, CancellationToken cancellationToken)
    {
        var named = site.File is { } file
            ? byName[FileName(file)].Where(tree => EndsWith(tree.FilePath, file)).OrderBy(tree => tree.FilePath.Length).ToList()
            : [];
        var declaring = Declaring(compilation, site.Method, cancellationToken);
        return named.Find(declaring.Contains)
            ?? (declaring.Count == 0 ? named.FirstOrDefault() : declaring.Count == 1 ? declaring.First() : null);
    }

    /// <summary>The files with a type of that name and a method of that name in it.</summary>
    private static HashSet<SyntaxTree> Declaring(Compilation compilation, string method, CancellationToken cancellationToken)
    {
        var names = method.Split('.');
        var trees = new HashSet<SyntaxTree>();

        // "Outer.Type.Method.LocalFunction": any of them but the last may be the type.
        foreach (var name in names.Take(names.Length - 1).Distinct(StringComparer.Ordinal))
        {
            foreach (var type in compilation.GetSymbolsWithName(name, SymbolFilter.Type, cancellationToken))
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
