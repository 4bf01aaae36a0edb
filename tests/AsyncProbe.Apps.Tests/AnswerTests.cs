using AsyncProbe.Apps.Tests.Bookshop;
using AsyncProbe.Apps.Tests.Notes;
using AsyncProbe.Apps.Tests.Running;
using AsyncProbe.Apps.Tests.Warehouse;

namespace AsyncProbe.Apps.Tests;

/// <summary>An application's responses are the same with and without AsyncProbe, byte for byte.</summary>
public sealed class AnswerTests
{
    [Fact]
    public Task IdentityApi_AnswersTheSame_WithAsyncProbe() => CompareAsync(new NotesApp(), "Production");

    [Fact]
    public Task Mvc_AnswersTheSame_WithAsyncProbe() => CompareAsync(new BookshopApp(), "Development");

    [Fact]
    public Task ModularApi_AnswersTheSame_WithAsyncProbe() => CompareAsync(new WarehouseApp(), "Production");

    [Fact]
    [Trait("Category", "Full")]
    public Task IdentityApi_AnswersTheSame_InDevelopment() => CompareAsync(new NotesApp(), "Development");

    [Fact]
    [Trait("Category", "Full")]
    public Task Mvc_AnswersTheSame_InProduction() => CompareAsync(new BookshopApp(), "Production");

    [Fact]
    [Trait("Category", "Full")]
    public Task ModularApi_AnswersTheSame_InDevelopment() => CompareAsync(new WarehouseApp(), "Development");

    private static async Task CompareAsync(JudgedApp app, string environment)
    {
        var with = await AnswersAsync(app, new AppSetting(environment, "Release"));
        var without = await AnswersAsync(app, new AppSetting(environment, "Release") { HasProbe = false });
        with.Count.ShouldBe(without.Count);
        for (var i = 0; i < with.Count; i++)
        {
            with[i].ShouldBe(without[i]);
        }
    }

    private static async Task<List<string>> AnswersAsync(JudgedApp app, AppSetting setting)
    {
        await using var process = await AppProcess.StartAsync(app.Name, setting);
        var load = new Load(process.Client);
        var answers = new List<string>();
        foreach (var call in await app.CallsAsync(process, load, setting))
        {
            using var response = await load.SendAsync(call);
            var headers = response.Headers.Concat(response.Content.Headers)
                .Where(h => !IsOurs(h.Key) && (call.IsRepeatable || h.Key != "Content-Length"))
                .OrderBy(h => h.Key, StringComparer.Ordinal)
                .Select(h => $"{h.Key}: {string.Join(", ", h.Value)}");
            var body = call.IsRepeatable ? Convert.ToBase64String(await response.Content.ReadAsByteArrayAsync()) : "";
            answers.Add($"{call.Method} {call.Path}\n{(int)response.StatusCode}\n{string.Join('\n', headers)}\n\n{body}");
        }

        return answers;
    }

    // The headers that AsyncProbe adds, and the date.
    private static bool IsOurs(string header) =>
        header.StartsWith("X-AsyncProbe-", StringComparison.Ordinal) || header.StartsWith("X-ThreadPool-", StringComparison.Ordinal)
            || header is "Server-Timing" or "Date";
}
