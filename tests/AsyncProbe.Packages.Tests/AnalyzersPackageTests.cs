using System.IO.Compression;
using System.Xml.Linq;

namespace AsyncProbe.Packages.Tests;

/// <summary>The package as the compiler and NuGet see it.</summary>
[Collection(Clone.Collection)]
public sealed class AnalyzersPackageTests(Clone clone)
{
    [Fact]
    public async Task Package_HoldsTheAnalyzerAndItsFixes_AndNothingForTheApplication()
    {
        using var zip = await ZipFile.OpenReadAsync(clone.Package("AsyncProbe.Analyzers", "nupkg"));
        new[] { "AsyncProbe.Analyzers.nuspec", "README.md", "icon.png" }.ShouldBeSubsetOf(zip.Entries.Select(e => e.FullName));
        zip.Entries.Select(e => e.FullName).Where(name => name.EndsWith(".dll", StringComparison.Ordinal))
            .ShouldBe(
                ["analyzers/dotnet/cs/AsyncProbe.Analyzers.dll", "analyzers/dotnet/cs/AsyncProbe.Analyzers.CodeFixes.dll"],
                ignoreOrder: true);
        zip.Entries.ShouldNotContain(e => e.FullName.StartsWith("lib/", StringComparison.Ordinal));
        await using var stream = await zip.GetEntry("AsyncProbe.Analyzers.nuspec").ShouldNotBeNull().OpenAsync();
        var nuspec = await XDocument.LoadAsync(stream, LoadOptions.None, CancellationToken.None);
        nuspec.Descendants().Single(e => e.Name.LocalName == "license").Value.ShouldBe("Apache-2.0");
        nuspec.Descendants().Single(e => e.Name.LocalName == "developmentDependency").Value.ShouldBe("true");
        nuspec.Descendants().ShouldNotContain(e => e.Name.LocalName == "dependency");
    }
}
