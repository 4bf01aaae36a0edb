using AsyncProbe.Tests;
using AsyncProbe.TestServer;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.StackSnapshots.Tests;

/// <summary>Optimised code: the method that sleeps isn't on any stack, but application code that didn't call it is.</summary>
public sealed class VanishedHandlerTests
{
    private static readonly string s_file = Path.Combine(Repository.Folder, "tests/AsyncProbe.TestServer/VanishingHandlers.cs");

    [Theory]
    [InlineData("/vanishing/based", "VanishingController.Based")]
    [InlineData("/vanishing/filtered", "VanishingController.Filtered")]
    [InlineData("/vanishing/deeper", "SleepingTask.Core")]
    public async Task MethodThatSleeps_IsNamedWithItsLine(string path, string at)
    {
        await using var app = await SnapshotApp.StartAsync(
            a =>
            {
                a.Use(async (_, next) => await next());
                a.MapControllers();
            },
            configure: b =>
            {
                b.Configuration["AsyncProbe:Detection"] = "Off";
                b.Services.AddControllers().AddApplicationPart(typeof(VanishingController).Assembly);
            });
        using var end = new CancellationTokenSource();
        var held = KeepAskingAsync(app, path + "?ms=1500", end.Token);

        var found = await app.Client.FindAsync("GET " + path);
        await end.CancelAsync();
        await held;

        found.GetProperty("at").GetString().ShouldBe(at);
        found.GetProperty("kind").GetString().ShouldBe("Sleep");
        found.GetProperty("file").GetString().ShouldBe("VanishingHandlers.cs");
        (await File.ReadAllLinesAsync(s_file))[found.GetProperty("line").GetInt32() - 1].ShouldContain("Thread.Sleep(ms);");
    }

    private static async Task KeepAskingAsync(ProbedApp app, string path, CancellationToken end)
    {
        while (!end.IsCancellationRequested)
        {
            (await app.GetAsync(path)).Dispose();
        }
    }
}
