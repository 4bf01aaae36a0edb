namespace AsyncProbe.Tests.Blocking.Catalogue;

/// <summary>Every way to block, in every position of a request, and everything that only looks like it.</summary>
public sealed class CatalogueTests(CatalogueApp catalogue) : IClassFixture<CatalogueApp>
{
    private const int Attempts = 5;

    // On a crowded machine the thread may start its wait late, and then waits for less time.
    private const double AtLeastMs = Sins.Ms / 2;
    private const double AtMostMs = 5000;

    public static TheoryData<string, string> SinsInPositions()
    {
        var data = new TheoryData<string, string>();
        foreach (var row in CatalogueRow.All)
        {
            foreach (var position in CatalogueApp.Positions)
            {
                data.Add(row.Method, position);
            }
        }

        return data;
    }

    public static TheoryData<string> TwinNames() => [.. Twins.All.Keys];

    [Theory]
    [MemberData(nameof(SinsInPositions))]
    public async Task Sin_IsFound_WhereverItHappens(string method, string position)
    {
        var row = CatalogueRow.All.Single(r => r.Method == method);
        catalogue.Note(row, position, "missed");
        await SinAsync(row, $"/{method}/{position}");

        var endpoint = $"{(row.NeedsSlowBody ? "POST" : "GET")} /{method}/{position}";
        var sites = await catalogue.SitesOfAsync(endpoint);
        if (row.Kind is null)
        {
            sites.ShouldAllBe(s => s.GetProperty("kind").GetString() == row.MayBeNamed);
            catalogue.Note(row, position, row.Found);
            return;
        }

        var site = sites.ShouldHaveSingleItem();
        site.GetProperty("kind").GetString().ShouldBe(row.Kind);
        site.GetProperty("at").GetString().ShouldBe(row.At);
        site.GetProperty("file").GetString().ShouldEndWith($"/{row.Blamed.DeclaringType!.Name}.cs");
        site.GetProperty("line").GetInt32().ShouldBe(Here.LineOf(row.At));
        site.Ms("blockedMs", "max").ShouldBeInRange(AtLeastMs, AtMostMs);
        site.GetProperty("allowed").GetString().ShouldBeNull();
        site.GetProperty("awaitable").GetString().ShouldBe(row.Awaitable);
        if (row.Instead is { } instead)
        {
            site.GetProperty("instead").GetString().ShouldBe(instead);
        }

        catalogue.Note(row, position, row.Found);
    }

    [Theory]
    [MemberData(nameof(TwinNames))]
    public async Task Twin_StaysSilent(string name)
    {
        using var response = await catalogue.App.GetAsync(CatalogueApp.TwinPath(name));
        response.EnsureSuccessStatusCode();

        (await catalogue.SitesOfAsync("GET " + CatalogueApp.TwinPath(name))).ShouldBeEmpty();
    }

    [Fact]
    public async Task Docs_AreInStep_WithWhatIsFound()
    {
        // The document must match what the tests above check; with CATALOGUE_FILE they write it.
        var docs = await File.ReadAllTextAsync(Path.Combine(Repository.Folder, "docs", "catalogue.md"));
        foreach (var row in CatalogueRow.All)
        {
            docs.ShouldContain(CatalogueTable.Line(row, (_, _) => row.Found));
        }

#if NET9_0_OR_GREATER
        docs.ShouldContain(CatalogueTable.Compact());
        docs.ShouldContain(CatalogueTable.Full((row, _) => row.Found));
#endif
    }

    // Or the thread starts too late to wait at all, which isn't a sin.
    private async Task SinAsync(CatalogueRow row, string path)
    {
        for (var attempt = 1; ; attempt++)
        {
            using var response = row.NeedsSlowBody
                ? await catalogue.App.Client.PostAsync(new Uri(path, UriKind.Relative), new SlowContent(Sins.WaitedForAsync))
                : await catalogue.App.GetAsync(path);
            response.EnsureSuccessStatusCode();
            var blockedMs = response.Number("X-AsyncProbe-Blocked-Ms");
            if (blockedMs >= AtLeastMs || attempt == Attempts)
            {
                blockedMs.ShouldBeInRange(AtLeastMs, AtMostMs);
                return;
            }
        }
    }
}
