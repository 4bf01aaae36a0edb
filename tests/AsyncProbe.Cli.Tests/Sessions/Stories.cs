using System.Text.Json.Nodes;
using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Tests.Sessions;

/// <summary>The sessions in the folder websurge/, one for each story of the sample. The files are generated from this.</summary>
internal static class Stories
{
    private const string Site = "http://127.0.0.1:5080";

    public static IReadOnlyDictionary<string, Session> All { get; } = new Dictionary<string, Session>
    {
        // With 100 connections, a request to the sleeping endpoint takes up to 32 s.
        ["values-sleep"] = Session(100, 20, 60_000, Get("/values/sleep", "Thread.Sleep")),
        ["values-delay"] = Session(100, 20, 15_000, Get("/values/delay", "Task.Delay")),
        ["values-cached"] = Session(100, 20, 15_000, Get("/values/cached", "Output cache")),
        ["customers-sync"] = Session(50, 10, 60_000, Get("/Customers/SyncGet200MsDelay", "200 ms, waited for")),
        ["customers-async"] = Session(50, 10, 15_000, Get("/Customers/AsyncGet200MsDelay", "200 ms, awaited")),
        ["customers-cpu"] = Session(50, 10, 60_000,
            Get("/Customers/SyncGetCpuBound", "CPU, synchronous"), Get("/Customers/AsyncGetCpuBound", "CPU, asynchronous")),
        ["syncvasync-sync"] = Session(10, 18, 60_000, Get("/api/syncvasync/sync", "2 s in the database, waited for")),
        ["syncvasync-async"] = Session(10, 18, 15_000, Get("/api/syncvasync/async", "2 s in the database, awaited")),
        ["products-sync"] = Session(50, 30, 60_000,
            Get("/SyncProduct?category=all", "All products, synchronous"), Get("/SyncProduct?category=boots", "Boots, synchronous"),
            Get("/SyncProduct/1", "One product, synchronous")),
        ["products-async"] = Session(50, 30, 15_000,
            Get("/Product?category=all", "All products, asynchronous"), Get("/Product?category=boots", "Boots, asynchronous"),
            Get("/Product/1", "One product, asynchronous")),
        ["backend-sync"] = Session(50, 10, 60_000, Get("/backend/sync?delayMs=100", "Another service, waited for")),
        ["backend-async"] = Session(50, 10, 15_000, Get("/backend/async?delayMs=100", "Another service, awaited")),
        ["jobs-sync"] = Session(50, 10, 60_000, Get("/jobs/orders/sync?ms=200", "A consumer that blocks")),
        ["jobs-async"] = Session(50, 10, 15_000, Get("/jobs/orders/async?ms=200", "A consumer that awaits")),
        ["smoke"] = Session(1, 5, 15_000,
            Get("/values/delay?ms=10", "Awaits"), Get("/values/sleep?ms=10", "Sleeps"), Get("/values/cached?ms=10", "Cached"),
            Get("/Customers/AsyncGet200MsDelay", "Customers"), Get("/_threadpool", "Report")),
    };

    private static SessionRequest Get(string path, string name) => new()
    {
        Verb = "GET",
        Url = Site + path,
        Name = name,
        Headers = [new("Accept", "application/json")],
    };

    private static Session Session(int threads, int seconds, int timeoutMs, params SessionRequest[] requests) => new()
    {
        Source = "story",
        Requests = requests,
        WrittenOptions = new(new JsonObject
        {
            ["SiteBaseUrl"] = null,
            ["NoProgressEvents"] = true,
            ["DelayTimeMs"] = 0,
            ["NoContentDecompression"] = false,
            ["CaptureMinimalResponseData"] = true,
            ["MaxResponseSize"] = 2000,
            ["ReplaceQueryStringValuePairs"] = null,
            ["ReplaceCookieValue"] = null,
            ["ReplaceAuthorization"] = null,
            ["Username"] = null,
            ["Password"] = null,
            ["Users"] = new JsonArray(),
            ["RequestTimeoutMs"] = timeoutMs,
            ["RandomizeRequests"] = false,
            ["WarmupSeconds"] = 2,
            ["IgnoreCertificateErrors"] = false,
            ["TrackPerSessionCookies"] = true,
            ["LastThreads"] = threads,
            ["LastSecondsToRun"] = seconds,
            ["ThreadCount"] = threads,
            ["SecondsToRun"] = seconds,
        }),
    };
}
