using System.Runtime.CompilerServices;
using Microsoft.AspNetCore.Routing;

namespace AsyncProbe.Tests.Blocking.Stacks;

/// <summary>Endpoints of a plugin that is unloaded while the application runs.</summary>
public sealed class PluginTests
{
    private static readonly string[] s_paths = ["/Blocks", "/BlocksLater", "/WritesItself"];

    [Theory]
    [InlineData("true")]
    [InlineData("false")]
    public async Task Plugin_IsUnloaded_AfterItsRequestsBlockedAndTheReportNamedThem(string enabled)
    {
        using var plugin = new PluginEndpoints();
        await using var app = await ProbedApp.StartAsync(
            a => ((IEndpointRouteBuilder)a).DataSources.Add(plugin),
            configure: b =>
            {
                b.Configuration["AsyncProbe:Enabled"] = enabled;
                b.Configuration["AsyncProbe:UserAssemblies:0"] = "AsyncProbe.Tests";
            });

        var context = await UseAsync(app, plugin, isReported: enabled == "true");

        await Eventually.TrueAsync(
            () =>
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
                return Task.FromResult(!context.IsAlive);
            },
            "the plugin is still alive");
        if (enabled == "true")
        {
            (await SitesAsync(app)).ShouldBe(s_paths.Select(path => "PluginHandlers." + path[1..]), ignoreOrder: true);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<WeakReference> UseAsync(ProbedApp app, PluginEndpoints plugin, bool isReported)
    {
        var context = plugin.Load();
        for (var i = 0; i < 5; i++)
        {
            await AskAllAsync(app);
        }

        // On a crowded machine it takes more requests until each has been watched.
        await Eventually.TrueAsync(
            async () =>
            {
                await AskAllAsync(app);
                return !isReported || (await SitesAsync(app)).Count() == s_paths.Length;
            },
            "not all that blocked was seen");
        await app.ReportAsync();
        plugin.Unload();
        return context;
    }

    private static async Task<IEnumerable<string?>> SitesAsync(ProbedApp app) =>
        (await app.ReportAsync()).GetProperty("sites").EnumerateArray().Select(s => s.GetProperty("at").GetString());

    private static Task AskAllAsync(ProbedApp app) => Task.WhenAll(s_paths.Select(path => AskAsync(app, path)));

    private static async Task AskAsync(ProbedApp app, string path)
    {
        // An idle connection keeps its last request's endpoint, as it does without AsyncProbe.
        using var request = new HttpRequestMessage(HttpMethod.Get, new Uri(path, UriKind.Relative)) { Headers = { ConnectionClose = true } };
        using var response = await app.Client.SendAsync(request);
        (await response.Content.ReadAsStringAsync()).ShouldBe("blocked");
    }
}
