using System.IO.Compression;
using System.Xml.Linq;

namespace AsyncProbe.Packages.Tests;

/// <summary>The package as a new user sees it.</summary>
[Collection(Clone.Collection)]
public sealed class StackSnapshotsPackageTests(Clone clone)
{
    [Fact]
    public async Task Package_HoldsWhatItNeeds_AndDependsOnLittle()
    {
        using var zip = await ZipFile.OpenReadAsync(clone.Package("AsyncProbe.StackSnapshots", "nupkg"));
        new[]
        {
            "AsyncProbe.StackSnapshots.nuspec", "README.md", "icon.png",
            "lib/net8.0/AsyncProbe.StackSnapshots.dll", "lib/net8.0/AsyncProbe.StackSnapshots.xml",
            "lib/net10.0/AsyncProbe.StackSnapshots.dll", "lib/net10.0/AsyncProbe.StackSnapshots.xml",
        }.ShouldBeSubsetOf(zip.Entries.Select(e => e.FullName));
        await using var stream = await zip.GetEntry("AsyncProbe.StackSnapshots.nuspec").ShouldNotBeNull().OpenAsync();
        var nuspec = await XDocument.LoadAsync(stream, LoadOptions.None, CancellationToken.None);
        nuspec.Descendants().Single(e => e.Name.LocalName == "license").Value.ShouldBe("Apache-2.0");
        nuspec.Descendants().Where(e => e.Name.LocalName == "dependency").Select(e => e.Attribute("id")!.Value)
            .ShouldBe(["AsyncProbe", "AsyncProbe"], "for each framework");

        using var symbols = await ZipFile.OpenReadAsync(clone.Package("AsyncProbe.StackSnapshots", "snupkg"));
        symbols.GetEntry("lib/net8.0/AsyncProbe.StackSnapshots.pdb").ShouldNotBeNull();
        symbols.GetEntry("lib/net10.0/AsyncProbe.StackSnapshots.pdb").ShouldNotBeNull();
    }
}
