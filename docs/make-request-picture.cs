#!/usr/bin/env dotnet
#:sdk Microsoft.NET.Sdk.Web
#:project ../src/AsyncProbe/AsyncProbe.csproj
#:property PublishAot=false

// Makes docs/request.svg from a real run: `dotnet run docs/make-request-picture.cs`. A request computes, awaits, blocks and awaits again.
// It notes its thread and the time at each step, and asks AsyncProbe what it has cost. Of a few runs the picture shows the one that came
// to most threads, because that is what it explains.

using System.Diagnostics;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;
using AsyncProbe;

const int Runs = 60;
CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;

Trace? best = null;
var builder = WebApplication.CreateBuilder();
builder.Logging.ClearProviders();
builder.WebHost.UseUrls("http://127.0.0.1:0");
builder.Services.AddAsyncProbe(o => o.Detection = BlockingDetection.Off);
var app = builder.Build();
app.UseAsyncProbe();
app.MapGet("/", Handle);
app.MapGet("/noise", () => Task.Delay(1));
await app.StartAsync();

using (var client = new HttpClient { BaseAddress = new Uri(app.Urls.First()) })
{
    await client.GetStringAsync("/");
    best = null;
    for (var run = 0; run < Runs; run++)
    {
        // Others keep the pool moving, so that awaits come back on other threads.
        var noise = Enumerable.Range(0, 40).Select(_ => client.GetStringAsync("/noise"));
        await Task.WhenAll(noise.Append(client.GetStringAsync("/")));
    }
}

await app.StopAsync();
var file = Path.Combine(Here(), "request.svg");
File.WriteAllText(file, Draw(best!));
Console.WriteLine($"{file}: {best!.Steps.Select(s => s.Thread).Distinct().Count()} threads");

async Task Handle(HttpContext context)
{
    var trace = new Trace();
    trace.Step("cpu", () => Compute(8));
    await Task.Delay(30);
    trace.Step("cpu", () => Compute(4));
    trace.Step("blocked", () => Thread.Sleep(25));
    await Task.Delay(20);
    trace.Step("cpu", () => Compute(6));
    var cost = context.Features.Get<IAsyncProbeFeature>()!;
    (trace.Held, trace.Cpu, trace.Blocked) = (cost.Held, cost.Cpu ?? default, cost.Blocked ?? default);
    await context.Response.WriteAsync("done");
    best = best is null || trace.Worth > best.Worth ? trace : best;
}

static void Compute(int milliseconds)
{
    for (var clock = Stopwatch.StartNew(); clock.ElapsedMilliseconds < milliseconds;)
    {
    }
}

static string Draw(Trace trace)
{
    const int Left = 112, Width = 760, Lane = 46, Top = 40;
    var threads = trace.Steps.Select(s => s.Thread).Distinct().ToList();
    var end = trace.Steps[^1].To;
    double X(double ms) => Left + (ms / end * (Width - Left - 24));
    double Y(int thread) => Top + (threads.IndexOf(thread) * Lane);
    var bottom = Top + (threads.Count * Lane);

    var svg = new StringBuilder();
    svg.Append($"""
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {Width} {bottom + 78}" width="{Width}" height="{bottom + 78}" font-family="system-ui, sans-serif" font-size="13" role="img">
        <title>A request of {end:0} ms comes to {threads.Count} pool threads and holds them for {trace.Held.TotalMilliseconds:0} ms</title>
        <rect width="100%" height="100%" rx="8" fill="#ffffff"/>

        """);
    foreach (var (thread, number) in threads.Select((t, i) => (t, i + 1)))
    {
        svg.Append($"""
            <text x="16" y="{Y(thread) + 17:0}" fill="#1c2430">pool thread {number}</text>
            <line x1="{Left}" y1="{Y(thread) + 13:0}" x2="{Width - 24}" y2="{Y(thread) + 13:0}" stroke="#e1e5eb"/>

            """);
    }

    for (var i = 0; i < trace.Steps.Count; i++)
    {
        var step = trace.Steps[i];
        if (i > 0 && step.From - trace.Steps[i - 1].To > 1)
        {
            var before = trace.Steps[i - 1];
            svg.Append($"""
                <path d="M{X(before.To):0.#} {Y(before.Thread) + 13:0} L{X(step.From):0.#} {Y(step.Thread) + 13:0}" stroke="#5b6676" stroke-dasharray="4 4" fill="none"/>
                <text x="{(X(before.To) + X(step.From)) / 2:0.#}" y="{Math.Min(Y(before.Thread), Y(step.Thread)) - 4:0}" text-anchor="middle" fill="#5b6676">await: no thread</text>

                """);
        }

        svg.Append($"""
            <rect x="{X(step.From):0.#}" y="{Y(step.Thread):0}" width="{Math.Max(1, X(step.To) - X(step.From)):0.#}" height="26" rx="3" fill="{(step.Kind == "cpu" ? "#3a7bd5" : "#d2483e")}"/>
            <text x="{(X(step.From) + X(step.To)) / 2:0.#}" y="{Y(step.Thread) + 17:0}" text-anchor="middle" fill="#ffffff">{(step.To - step.From < 3 ? "" : step.Kind)}</text>

            """);
    }

    var rest = trace.Held - trace.Cpu - trace.Blocked;
    return svg.Append($"""
        <line x1="{Left}" y1="{bottom}" x2="{Width - 24}" y2="{bottom}" stroke="#5b6676"/>
        <text x="{Left}" y="{bottom + 18}" fill="#5b6676">0</text>
        <text x="{Width - 24}" y="{bottom + 18}" text-anchor="end" fill="#5b6676">{end:0} ms</text>
        <text x="16" y="{bottom + 46}" fill="#1c2430">It lasted {end:0} ms. AsyncProbe measured: held {trace.Held.TotalMilliseconds:0.0} ms = cpu {trace.Cpu.TotalMilliseconds:0.0} + blocked {trace.Blocked.TotalMilliseconds:0.0} + cpuWait and gc {Math.Max(0, rest.TotalMilliseconds):0.0}.</text>
        <text x="16" y="{bottom + 66}" fill="#5b6676">With await Task.Delay instead of Thread.Sleep it would have held about {(trace.Held - trace.Blocked).TotalMilliseconds:0.0} ms.</text>
        </svg>

        """).ToString();
}

static string Here([CallerFilePath] string path = "") => Path.GetDirectoryName(path)!;

internal sealed class Trace
{
    private readonly long _began = Stopwatch.GetTimestamp();

    public List<(string Kind, int Thread, double From, double To)> Steps { get; } = [];

    public TimeSpan Held { get; set; }

    public TimeSpan Cpu { get; set; }

    public TimeSpan Blocked { get; set; }

    // The most threads; among those the run that other programs disturbed least.
    public double Worth => (Steps.Select(s => s.Thread).Distinct().Count() * 1e6) - (Held - Cpu - Blocked).TotalMilliseconds;

    public void Step(string kind, Action act)
    {
        var from = Stopwatch.GetElapsedTime(_began).TotalMilliseconds;
        act();
        Steps.Add((kind, Environment.CurrentManagedThreadId, from, Stopwatch.GetElapsedTime(_began).TotalMilliseconds));
    }
}
