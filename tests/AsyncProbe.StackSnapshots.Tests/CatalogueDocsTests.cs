using AsyncProbe.StackSnapshots.Tests.Catalogue;

namespace AsyncProbe.StackSnapshots.Tests;

/// <summary>What docs/catalogue.md says about snapshots.</summary>
[SideBySide]
public sealed class CatalogueDocsTests
{
    [Fact]
    public async Task Docs_AreInStep_WithWhatSnapshotsName() =>
        (await File.ReadAllTextAsync(Path.Combine(Repository.Folder, "docs", "catalogue.md"))).ShouldContain(SlowTable.Full());
}
