using AsyncProbe.Tests;
using AsyncProbe.Tests.Blocking.Catalogue;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.StackSnapshots.Tests.Catalogue;

/// <summary>Waits that the wait hook doesn't see, in every position of a request, with and without the hook.</summary>
public abstract class CatalogueTests(SlowApp catalogue)
{
    public static TheoryData<string, string> SinsInPositions()
    {
        var data = new TheoryData<string, string>();
        foreach (var row in SlowRow.All)
        {
            foreach (var position in SlowRow.Positions)
            {
                data.Add(row.Method, position);
            }
        }

        return data;
    }

    [Theory]
    [MemberData(nameof(SinsInPositions))]
    public async Task Sin_IsNamed_WhileItLasts(string method, string position)
    {
        var row = SlowRow.All.Single(r => r.Method == method);
        var endpoint = $"GET /{method}/{position}";
        var place = $"SlowSins.{method}";

        await SlowApp.HasBegunAsync(method);
        await catalogue.NowAsync(endpoint, $"{place} (SlowSins.cs:{Here.LineOf(place)})");

        if (!IsLeftToTheHook(row))
        {
            var site = await catalogue.SiteAsync(endpoint, place, Here.LineOf(place));
            site.GetProperty("kind").GetString().ShouldBe(row.Kind);
            site.GetProperty("file").GetString().ShouldEndWith("SlowSins.cs");
            site.Ms("blockedMs", "max").ShouldBeGreaterThan(20);
        }
    }

    [Fact]
    public async Task Site_IsLoggedOnce_AtWarning()
    {
        await SlowApp.HasBegunAsync("Sleep");
        await catalogue.SiteAsync("GET /Sleep/first", "SlowSins.Sleep", Here.LineOf("SlowSins.Sleep"));

        bool IsOurs((LogLevel Level, EventId Id, string Text) line) =>
            line.Id.Id == 15 && line.Text.Contains($" at SlowSins.Sleep (SlowSins.cs:{Here.LineOf("SlowSins.Sleep")})", StringComparison.Ordinal);
        await Eventually.TrueAsync(() => Task.FromResult(catalogue.App.Log.All.Any(IsOurs)), "no line");
        var line = catalogue.App.Log.All.Where(IsOurs).ShouldHaveSingleItem();

        line.Level.ShouldBe(LogLevel.Warning);
        line.Text.ShouldStartWith("A stack snapshot saw GET /Sleep/");
        line.Text.ShouldEndWith("(Sleep): await Task.Delay instead.");
    }

    /// <summary>Whether the wait hook records the wait, so that no site has to come from snapshots.</summary>
    private protected abstract bool IsLeftToTheHook(SlowRow row);
}

public sealed class UnarmedCatalogueTests(UnarmedSlowApp catalogue) : CatalogueTests(catalogue), IClassFixture<UnarmedSlowApp>
{
    private protected override bool IsLeftToTheHook(SlowRow row) => false;
}

public sealed class ArmedCatalogueTests(ArmedSlowApp catalogue) : CatalogueTests(catalogue), IClassFixture<ArmedSlowApp>
{
    private protected override bool IsLeftToTheHook(SlowRow row) => row.IsSeenByTheHook(OperatingSystem.IsWindows());
}
