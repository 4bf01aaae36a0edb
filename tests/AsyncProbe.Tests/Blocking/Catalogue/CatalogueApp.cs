using System.Collections.Concurrent;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Tests.Blocking.Catalogue;

/// <summary>
/// An app with an endpoint for every sin in each of the three positions and for every twin, and an upstream for the HTTP ones.
/// </summary>
public sealed class CatalogueApp : IAsyncLifetime
{
    public static readonly string[] Positions = ["first", "later", "library"];

    private readonly ConcurrentDictionary<(string Code, string Position), string> _results = new();
    private WebApplication? _upstream;
    private ProbedApp? _app;

    internal ProbedApp App => _app!;

    public async Task InitializeAsync()
    {
        _upstream = await StartUpstreamAsync();
        _app = await ProbedApp.StartAsync(app =>
        {
            foreach (var row in CatalogueRow.All)
            {
                app.Map($"/{row.Method}/first", Returning(row.Sin));
                app.Map($"/{row.Method}/later", (RequestDelegate)(async context =>
                {
                    await Task.Delay(1);
                    row.Sin(context);
                }));
                app.Map($"/{row.Method}/library", (RequestDelegate)(async context =>
                {
                    await Task.Delay(1).ConfigureAwait(false);
                    await Task.Delay(1).ConfigureAwait(false);
                    row.Sin(context);
                }));
            }

            foreach (var (name, twin) in Twins.All)
            {
                app.MapGet(TwinPath(name), (RequestDelegate)(async _ => await twin()));
            }
        });
    }

    internal static string TwinPath(string name) => $"/twin/{Uri.EscapeDataString(name).Replace("%", "-", StringComparison.Ordinal)}";

    public async Task DisposeAsync()
    {
        Report();
        await App.DisposeAsync();
        await _upstream!.DisposeAsync();
    }

    internal void Note(CatalogueRow row, string position, string result) => _results[(row.Code, position)] = result;

    internal async Task<JsonElement[]> SitesOfAsync(string endpoint)
    {
        await App.EndpointAsync(endpoint);
        return [.. (await App.ReportAsync()).GetProperty("sites").EnumerateArray()
            .Where(s => s.GetProperty("endpoints").EnumerateArray().Any(e => e.GetString() == endpoint))];
    }

    private static RequestDelegate Returning(Action<HttpContext> sin) => context =>
    {
        sin(context);
        return Task.CompletedTask;
    };

    private static async Task<WebApplication> StartUpstreamAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        var upstream = builder.Build();
        upstream.MapGet("/slow", async () =>
        {
            await Sins.WaitedForAsync();
            return "slow";
        });
        await upstream.StartAsync().WaitAsync(ProbedApp.Timeout);
        Sins.Http = new HttpClient { BaseAddress = new Uri(upstream.Urls.First()), Timeout = ProbedApp.Timeout };
        return upstream;
    }

    // CATALOGUE_FILE names the file for the tables of docs/catalogue.md.
    private void Report()
    {
        var table = CatalogueTable.Full((row, position) => _results.GetValueOrDefault((row.Code, position), "not run"));
        Console.WriteLine(table);
        if (Environment.GetEnvironmentVariable("CATALOGUE_FILE") is { Length: > 0 } file)
        {
            File.WriteAllText(file, CatalogueTable.Compact() + "\n" + table);
        }
    }
}
