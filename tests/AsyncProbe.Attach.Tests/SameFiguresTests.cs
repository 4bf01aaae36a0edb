using System.Globalization;
using AsyncProbe.Cli.Snapshots;

namespace AsyncProbe.Attach.Tests;

/// <summary>An attached probe's figures are the package's. The two are measured in turn, so that both meet the same machine.</summary>
public sealed class SameFiguresTests
{
    private const int Warmup = 50;
    private const int Requests = 200;
    private const double Tolerance = 0.05;
    private const double LeastToleranceMs = 0.2;

    private static readonly string[] s_paths = ["/fast", "/async", "/cpu", "/result", "/late", "/controller", "/sleep", "/fail", "/dispose"];

    [Fact]
    [Trait("Category", "Full")]
    public async Task Means_AreThoseOfThePackage()
    {
        await using var shop = await ShopProcess.StartAsync();
        await using var withPackage = await ShopProcess.StartWithPackageAsync();
        using var attached = new AttachedReport(shop);
        using var package = new AttachedReport(withPackage);
        await SendAsync(Warmup, shop, withPackage);
        var (attachedBefore, packageBefore) = (await RowsAsync(attached, Warmup), await RowsAsync(package, Warmup));

        await SendAsync(Requests, shop, withPackage);

        const int All = Warmup + Requests;
        var (attachedRows, packageRows) = (await RowsAsync(attached, All), await RowsAsync(package, All));
        List<string> differences = [];
        foreach (var path in s_paths)
        {
            var (mine, theirs) = (Means(attachedBefore[path], attachedRows[path]), Means(packageBefore[path], packageRows[path]));
            differences.AddRange(mine.Keys.Where(figure => !IsSame(mine[figure], theirs[figure]))
                .Select(figure => string.Create(CultureInfo.InvariantCulture, $"{path}, {figure}: {mine[figure]:0.000} ms attached, {theirs[figure]:0.000} ms with the package")));
            attachedRows[path].Verdict.ShouldBe(packageRows[path].Verdict, path);
        }

        differences.ShouldBeEmpty();
    }

    private static bool IsSame(double a, double b) => Math.Abs(a - b) <= Math.Max(LeastToleranceMs, Tolerance * Math.Max(a, b));

    private static async Task SendAsync(int times, params ShopProcess[] shops)
    {
        for (var i = 0; i < times; i++)
        {
            foreach (var path in s_paths)
            {
                foreach (var shop in shops)
                {
                    using var answer = await shop.Client.GetAsync(new Uri(path, UriKind.Relative));
                }
            }
        }
    }

    private static async Task<Dictionary<string, EndpointSnapshot>> RowsAsync(AttachedReport probe, int requests)
    {
        Dictionary<string, EndpointSnapshot> rows = [];
        foreach (var path in s_paths)
        {
            rows[path] = await probe.CountedAsync("GET " + path, requests);
        }

        return rows;
    }

    private static Dictionary<string, double> Means(EndpointSnapshot before, EndpointSnapshot after)
    {
        return new()
        {
            ["held"] = Mean(row => row.HeldMs), ["cpu"] = Mean(row => row.CpuMs), ["blocked"] = Mean(row => row.BlockedMs),
            ["cpuWait"] = Mean(row => row.CpuWaitMs), ["gc"] = Mean(row => row.GcMs),
        };

        double Mean(Func<EndpointSnapshot, TimeSums> figure) =>
            (figure(after).Total!.Value - figure(before).Total!.Value) / (after.Requests - before.Requests);
    }
}
