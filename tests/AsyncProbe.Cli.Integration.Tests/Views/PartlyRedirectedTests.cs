using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace AsyncProbe.Cli.Integration.Tests.Views;

/// <summary>A terminal that shows progress and messages, while the results go to a file.</summary>
public sealed partial class PartlyRedirectedTests : IDisposable
{
    private const int Columns = 90;
    private const string NewPage = "\e[2J";
    private const string Endpoint = "GET /tenants/{tenant}/orders/{order}/lines/{line}";

    private static readonly TimeSpan s_timeout = TimeSpan.FromMinutes(1);

    private readonly TemporaryFolder _folder = new();
    private readonly HttpListener _server = new();
    private readonly string _url = string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{FreePort.Take()}/");
    private int _answers;

    public PartlyRedirectedTests()
    {
        _server.Prefixes.Add(_url);
        _server.Start();
        _ = AnswerAsync();
    }

    private string Results => _folder.File("results");

    [Fact]
    public async Task LiveView_HasTheWidthOfTheTerminalThatShowsIt()
    {
        var screen = await RunAsync($"observe {_url} --live -s 5 --json > {Results}");

        screen.ShouldContain(Endpoint);
        Codes().Replace(screen.Replace(NewPage, "\n", StringComparison.Ordinal), "").Split('\n').ShouldAllBe(
            line => line.TrimEnd('\r').Length <= Columns, screen);
    }

    [Fact]
    public async Task Watch_WritesALineALook_WhenItsResultsAreRedirected()
    {
        await RunAsync($"watch {_url} --times 2 > {Results}");

        File.ReadAllLines(Results).Length.ShouldBe(2);
    }

    public void Dispose()
    {
        _server.Close();
        _folder.Dispose();
    }

    /// <returns>What the terminal shows.</returns>
    private static async Task<string> RunAsync(string command)
    {
        // `script` gives the command a terminal.
        var tool = Path.Combine(AppContext.BaseDirectory, "asyncprobe.dll");
        var start = new ProcessStartInfo("script", ["-qec", $"stty cols {Columns} rows 40; dotnet '{tool}' {command}", "/dev/null"])
        {
            RedirectStandardOutput = true, RedirectStandardInput = true,
        };
        start.Environment["TERM"] = "xterm";
        start.Environment["NO_COLOR"] = "1";
        using var process = Process.Start(start)!;
        var output = process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync().WaitAsync(s_timeout);
        return await output;
    }

    private static object Report(int answer) => new
    {
        schema = 1,
        pool = new { threads = 16, state = "queueing", workers = new { min = 2, max = 100, busy = 9 } },
        endpoints = new[]
        {
            new
            {
                endpoint = Endpoint, requests = 100 * answer, heldMs = Times(200, answer), cpuMs = Times(2, answer),
                cpuWaitMs = Times(1, answer), gcMs = Times(1, answer),
                blockedMs = Times(196, answer), verdict = "asyncWillHelp",
            },
        },
    };

    private static object Times(double mean, int answer) => new { total = mean * 100 * answer, mean, max = mean };

    private async Task AnswerAsync()
    {
        try
        {
            while (true)
            {
                var context = await _server.GetContextAsync();
                context.Response.ContentType = "application/json";
                context.Response.Close(JsonSerializer.SerializeToUtf8Bytes(Report(++_answers)), willBlock: false);
            }
        }
        catch (Exception e) when (e is HttpListenerException or ObjectDisposedException)
        {
            // The test has ended.
        }
    }

    [GeneratedRegex(@"\e\[[0-9;?]*[A-Za-z]")]
    private static partial Regex Codes();
}
