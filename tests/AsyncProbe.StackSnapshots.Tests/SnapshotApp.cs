using System.Net;
using System.Text.Json;
using AsyncProbe.Tests;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.StackSnapshots.Tests;

/// <summary>Apps whose snapshots are taken when a test asks, and ways to ask.</summary>
internal static class SnapshotApp
{
    /// <summary>Only the test takes snapshots while it runs.</summary>
    public static Task<ProbedApp> StartAsync(
        Action<WebApplication> map, string environment = "Development", Action<WebApplicationBuilder>? configure = null) =>
        ProbedApp.StartAsync(map, environment, builder =>
        {
            builder.Configuration["AsyncProbe:StackSnapshots:Interval"] = "01:00:00";
            builder.Configuration["AsyncProbe:StackSnapshots:SampleUnexplained"] = "false";
            builder.Services.AddAsyncProbe().AddStackSnapshots();
            configure?.Invoke(builder);
        });

    public static async Task<(HttpStatusCode Status, JsonElement Answer)> PostAsync(this HttpClient client)
    {
        using var response = await client.PostAsync(new Uri("/_threadpool/snapshot", UriKind.Relative), null);
        var text = await response.Content.ReadAsStringAsync();
        return (response.StatusCode, text.Length == 0 ? default : JsonDocument.Parse(text).RootElement);
    }

    /// <summary>Asks until a snapshot is taken: another one may be in progress, or less than a second old.</summary>
    public static async Task<JsonElement> TakeAsync(this HttpClient client)
    {
        (HttpStatusCode Status, JsonElement Answer) last = default;
        await Eventually.TrueAsync(
            async () =>
            {
                last = await client.PostAsync();
                last.Status.ShouldBeOneOf(HttpStatusCode.OK, HttpStatusCode.TooManyRequests, HttpStatusCode.Conflict);
                return last.Status == HttpStatusCode.OK;
            },
            () => $"{last.Status} {last.Answer}");
        return last.Answer;
    }

    /// <summary>
    /// Takes snapshots until one finds something for an endpoint, while one of its requests hangs: at first it may still be compiling.
    /// </summary>
    public static async Task<JsonElement> FindAsync(this HttpClient client, string endpoint)
    {
        await Eventually.TrueAsync(
            async () =>
            {
                using var report = JsonDocument.Parse(await client.GetStringAsync(new Uri("/_threadpool", UriKind.Relative)));
                return report.RootElement.GetProperty("now").EnumerateArray()
                    .Any(n => n.GetProperty("endpoint").GetString() == endpoint && n.GetProperty("heldMs").GetDouble() > 300);
            },
            $"{endpoint} is not held");
        return await Eventually.FoundAsync(
            async () => (await client.TakeAsync()).GetProperty("found").EnumerateArray().FirstOrDefault(
                f => f.GetProperty("endpoint").GetString() == endpoint),
            () => $"no snapshot finds {endpoint}");
    }
}
