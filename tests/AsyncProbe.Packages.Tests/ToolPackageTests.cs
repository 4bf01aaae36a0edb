using System.IO.Compression;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Text;

namespace AsyncProbe.Packages.Tests;

/// <summary>The package of the command: what it redistributes, and what it must not reveal.</summary>
[Collection(Clone.Collection)]
public sealed class ToolPackageTests(Clone clone)
{
    private const string Notices = "THIRD-PARTY-NOTICES.txt";

    [Fact]
    public void Package_HasTheNoticesOfEveryLibraryInIt()
    {
        using var zip = ZipFile.OpenRead(clone.Package("AsyncProbe.Cli", "nupkg"));

        using var reader = new StreamReader(zip.GetEntry(Notices).ShouldNotBeNull().Open());
        var notices = reader.ReadToEnd();
        var libraries = zip.Entries.Select(entry => entry.Name)
            .Where(name => name.EndsWith(".dll", StringComparison.Ordinal) && !IsOwn(name)).Distinct().ToList();
        libraries.ShouldNotBeEmpty();
        libraries.ShouldAllBe(library => notices.Contains($"\n{library}\n    Copyright ", StringComparison.Ordinal));
        notices.ShouldContain("The above copyright notice and this permission notice shall be included");
    }

    [Fact]
    public void Package_HoldsWhatAttachBringsIntoOtherProcesses()
    {
        using var zip = ZipFile.OpenRead(clone.Package("AsyncProbe.Cli", "nupkg"));
        using var command = new MemoryStream();
        using (var entry = zip.Entries.Single(entry => entry.Name == "asyncprobe.dll").Open())
        {
            entry.CopyTo(command);
        }

        command.Position = 0;
        using var file = new PEReader(command);
        var metadata = file.GetMetadataReader();
        var resources = metadata.ManifestResources.Select(handle => metadata.GetString(metadata.GetManifestResource(handle).Name));

        resources.Where(name => name.StartsWith("attach/", StringComparison.Ordinal)).ShouldBe(
            [
                "attach/AsyncProbe.Hook.dll", "attach/net10.0/AsyncProbe.Attach.dll", "attach/net10.0/AsyncProbe.StackSnapshots.dll",
                "attach/net10.0/AsyncProbe.dll", "attach/net8.0/AsyncProbe.Attach.dll", "attach/net8.0/AsyncProbe.StackSnapshots.dll",
                "attach/net8.0/AsyncProbe.dll",
            ],
            ignoreOrder: true);
    }

    /// <summary>Assemblies inside the command contained the path of their symbols on the machine that built them.</summary>
    [Fact]
    public void Package_SaysNothingAboutTheMachineThatBuiltIt()
    {
        using var zip = ZipFile.OpenRead(clone.Package("AsyncProbe.Cli", "nupkg"));
        var folder = Encoding.UTF8.GetBytes(clone.Folder);

        foreach (var assembly in zip.Entries.Where(entry => IsOwn(entry.Name) && entry.Name.EndsWith(".dll", StringComparison.Ordinal)))
        {
            using var content = new MemoryStream();
            using (var entry = assembly.Open())
            {
                entry.CopyTo(content);
            }

            content.ToArray().AsSpan().IndexOf(folder).ShouldBe(-1, assembly.FullName);
        }
    }

    private static bool IsOwn(string name) => name == "asyncprobe.dll" || name.StartsWith("AsyncProbe.", StringComparison.Ordinal);

    [Fact]
    public void Package_HasNoInternalDocsAndNoSymbols()
    {
        using var zip = ZipFile.OpenRead(clone.Package("AsyncProbe.Cli", "nupkg"));

        zip.Entries.ShouldNotContain(entry => entry.Name.EndsWith(".pdb", StringComparison.Ordinal));
        zip.Entries.Where(entry => entry.Name.EndsWith(".xml", StringComparison.Ordinal)).Select(entry => entry.Name).Distinct()
            .ShouldBe(["[Content_Types].xml", "DotnetToolSettings.xml"], ignoreOrder: true);
    }
}
