using System.Globalization;
using System.Text;
using Xunit.Abstractions;

namespace AsyncProbe.Faults.Tests;

/// <summary>
/// Each place of our packages that allocates, starts a thread or opens something fails once when it is first reached (cold), and once
/// after it has worked (warm). The host must still answer every request correctly, and AsyncProbe must measure again afterwards. CI takes
/// a seeded tenth of the places; <c>tests/full</c> takes all.
/// </summary>
public sealed class InjectedFaultsTests(ITestOutputHelper output)
{
    private const int Seed = 32;
    private const int ATenth = 10;

    // How many places fail in one process.
    private const int Batch = 60;

    [Fact]
    public Task Host_AnswersEverythingRight_WhereAPlaceFailsWhenItIsFirstReached() => FailColdAsync(isWhole: false);

    [Fact]
    public Task Host_AnswersEverythingRight_WhereAPlaceFailsThatHasWorked() => FailWarmAsync(isWhole: false);

    [Fact]
    [Trait("Category", "Full")]
    public Task Host_AnswersEverythingRight_WhereverAPlaceFailsWhenItIsFirstReached() => FailColdAsync(isWhole: true);

    [Fact]
    [Trait("Category", "Full")]
    public Task Host_AnswersEverythingRight_WhereverAPlaceFailsThatHasWorked() => FailWarmAsync(isWhole: true);

    private async Task FailColdAsync(bool isWhole)
    {
        using var copy = new FaultyCopy();
        var chosen = Choose(copy.Places, isWhole);
        var (tried, failed) = (0, 0);
        foreach (var batch in chosen.Chunk(isWhole ? Batch : chosen.Count))
        {
            var file = Path.Combine(copy.Folder, "cold.txt");
            await File.WriteAllTextAsync(file, Join(batch));
            var lifeline = FreePort.Take();
            await using var host = await FaultHostProcess.StartAsync(["--lifeline", Text(lifeline), "--cold", file], copy.Folder);

            await JudgeAsync(host, lifeline, rounds: 4);

            tried += batch.Length;
            failed += await CountFailedAsync(host);
        }

        output.WriteLine($"{failed} of {tried} places were reached after the start, and failed when they first were.");
        failed.ShouldBeGreaterThan(0);
    }

    private async Task FailWarmAsync(bool isWhole)
    {
        using var copy = new FaultyCopy();
        var lifeline = FreePort.Take();
        await using var host = await FaultHostProcess.StartAsync(["--lifeline", Text(lifeline)], copy.Folder);
        await JudgeAsync(host, lifeline, rounds: 3);
        var reached = await ReachedAsync(host);

        foreach (var batch in Choose(copy.Places, isWhole).Where(place => reached.Contains(place.Id)).Chunk(Batch))
        {
            await host.PostAsync("/faults/arm", Join(batch));
            await JudgeAsync(host, lifeline, rounds: 2);
        }

        var failed = await CountFailedAsync(host);
        await WriteRoomsAsync(copy, host);
        output.WriteLine($"{failed} places failed after they had worked.");
        failed.ShouldBeGreaterThan(0);
    }

    private static List<Place> Choose(IReadOnlyList<Place> places, bool isWhole)
    {
        // A static initializer that fails makes its type unusable. These run while the host starts, before the first request.
        List<Place> candidates = [.. places.Where(place => !place.IsInStaticInitializer)];
        if (isWhole)
        {
            return candidates;
        }

        var random = new Random(Seed);
        return [.. candidates.Where(_ => random.Next(ATenth) == 0)];
    }

    // After the faults AsyncProbe must count requests again, or say what is off.
    private static async Task JudgeAsync(FaultHostProcess host, int lifeline, int rounds)
    {
        List<string> wrong = [];
        for (var round = 0; round < rounds; round++)
        {
            wrong.AddRange(await Work.RunAsync(host));
            await Work.AskProbeAsync(host, lifeline);
        }

        host.Process.HasExited.ShouldBeFalse(host.Output);
        wrong.ShouldBeEmpty(host.Output);
        await host.PostAsync("/faults/disarm");
        await MeasuresAsync(host);
    }

    private static async Task MeasuresAsync(FaultHostProcess host)
    {
        var before = await CountPlainAsync(host);
        await Eventually.TrueAsync(
            async () =>
            {
                (await host.TextAsync("/plain")).ShouldBe("plain");
                return await CountPlainAsync(host) > before;
            },
            () => "AsyncProbe counts no request any more:\n" + host.Output);
    }

    private static async Task<long> CountPlainAsync(FaultHostProcess host) =>
        (await ReportAsync(host)).GetProperty("endpoints").EnumerateArray()
            .Where(endpoint => endpoint.GetProperty("endpoint").GetString() == "GET /plain")
            .Sum(endpoint => endpoint.GetProperty("requests").GetInt64());

    private static async Task<System.Text.Json.JsonElement> ReportAsync(FaultHostProcess host)
    {
        try
        {
            return await host.ReportAsync();
        }
        catch (HttpRequestException e)
        {
            throw new InvalidOperationException("The report is still missing when nothing fails any more:\n" + host.Output, e);
        }
    }

    private static async Task<HashSet<int>> ReachedAsync(FaultHostProcess host) =>
        [.. (await host.TextAsync("/faults/state")).Split('\n')[1].Split(',', StringSplitOptions.RemoveEmptyEntries).Select(Number)];

    private static async Task<int> CountFailedAsync(FaultHostProcess host) => Number((await host.TextAsync("/faults/state")).Split('\n')[0]);

    private async Task WriteRoomsAsync(FaultyCopy copy, FaultHostProcess host)
    {
        var reached = await ReachedAsync(host);
        var table = new StringBuilder("| room | places | reached | in static initializers |\n|---|---|---|---|\n");
        foreach (var room in copy.Places.GroupBy(place => place.Room).OrderBy(room => room.Key, StringComparer.Ordinal))
        {
            table.AppendLine(CultureInfo.InvariantCulture, $"| {room.Key} | {room.Count()} | {room.Count(place => reached.Contains(place.Id))} | {room.Count(place => place.IsInStaticInitializer)} |");
        }

        table.AppendLine(CultureInfo.InvariantCulture, $"| all | {copy.Places.Count} | {copy.Places.Count(place => reached.Contains(place.Id))} | {copy.Places.Count(place => place.IsInStaticInitializer)} |");
        output.WriteLine(table.ToString());
        if (Environment.GetEnvironmentVariable("ASYNCPROBE_FAULTS_TABLE") is { Length: > 0 } path)
        {
            table.AppendLine().AppendLine("Not reached:");
            foreach (var place in copy.Places.Where(place => !reached.Contains(place.Id)))
            {
                table.AppendLine(CultureInfo.InvariantCulture, $"{place.Id} {place.Method}: {place.What}");
            }

            await File.WriteAllTextAsync(path, table.ToString());
        }
    }

    private static string Join(IEnumerable<Place> places) => string.Join(',', places.Select(place => Text(place.Id)));

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);

    private static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);
}
