using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Xml.Linq;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Cli.Tests.Commands;

/// <summary>Text from files and servers that tries to control a terminal, a browser or a parser.</summary>
[SideBySide]
public class HostileTextTests
{
    private const string Hostile = "\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e\r<img src=x onerror=alert(1)>|[x](http://evil)@all";

    [Fact]
    public async Task Text_ReachesNoTerminalAndNoFile_AsACommand()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;
        server.Report.Mark = Hostile;
        using var folder = new TemporaryFolder();
        var session = folder.Write("\u001b[2J.websurge",
            $"GET {server.Url}/plain HTTP/1.1\nWebsurge-Request-Name: {Hostile.Replace("\r", "", StringComparison.Ordinal)}\nX\u001b[2J "
                + $"y: 1\n\n-----\n\n"
            + "----- Start WebSurge Options -----\n{ \"\\u001b[2J\": 1 }\n----- End WebSurge Options -----\n");
        string[] files = [folder.File("r.html"), folder.File("r.md"), folder.File("r.xml"), folder.File("r.json"), folder.File("r.sarif")];

        Tool[] tools =
        [
            await Tool.RunAsync(
                ["run", session, "-s", "1", "-w", "0", "--threshold", "name[\u001b[2J]:held.avg>0", "--annotate", "github",
                    .. files.SelectMany(file => new[] { "-o", file })]),
            await Tool.RunAsync("run", session, "--once", "--json"),
            await Tool.RunAsync("check", session),
            await Tool.RunAsync("report", server.Url, "--annotate", "github"),
            await Tool.RunAsync("watch", server.Url, "--times", "1"),
            await Tool.RunAsync("compare", files[3], files[3]),
            await Tool.RunAsync("run", "no\u001b[2Jfile"),
            await Tool.RunAsync("run", server.Url, "--what\u001b[2J"),
            await Tool.RunAsync("run", session, "--threshold", "name[\u001b[2J]:rps>0"),
        ];

        tools[0].ExitCode.ShouldBe(4, tools[0].Messages);
        tools[5].ExitCode.ShouldBe(0, tools[5].Messages);
        foreach (var text in tools.SelectMany(tool => new[] { tool.Results, tool.Messages }).Concat(files.Select(File.ReadAllText)))
        {
            text.Replace("\r\n", "", StringComparison.Ordinal)
                .Where(c => c is not ('\n' or '\t') && char.GetUnicodeCategory(c) is UnicodeCategory.Control or UnicodeCategory.Format)
                .ShouldBeEmpty(text);
        }

        File.ReadAllText(files[0]).ShouldNotContain("<img");
        var markdown = File.ReadAllText(files[1]);
        markdown.ShouldNotContain("<img");
        markdown.ShouldNotContain("[x](");
        markdown.ShouldNotContain("@all");
        XDocument.Load(files[2]).Root.ShouldNotBeNull();
    }

    [Fact]
    public async Task Answer_IsAReason_WhenItsFirstLineIsHostile()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var serving = Task.Run(async () =>
        {
            while (true)
            {
                using var client = await listener.AcceptTcpClientAsync();
                await client.GetStream().WriteAsync(Encoding.UTF8.GetBytes("\u001b[31mHTTP\u001b[2J\r\n\r\n"));
            }
        });

        var tool = await Tool.RunAsync("run", $"http://{listener.LocalEndpoint}/", "--requests", "3", "-w", "0");
        listener.Stop();
        await Should.ThrowAsync<Exception>(() => serving.WaitAsync(TimeSpan.FromSeconds(20)));

        tool.ExitCode.ShouldBe(3);
        (tool.Results + tool.Messages).ShouldNotContain("\u001b");
    }

    public static TheoryData<string> NoReports => new(
        """{"schema":1,"process":{"runtime":"\ud800"},"pool":{"threads":1}}""",
        """{"schema":1,"process":{"uptimeMs":1e300},"pool":{"threads":1}}""",
        """{"schema":1,"process":{"startedAt":"9999-12-31T00:00:00Z","uptimeMs":1e13},"pool":{"threads":1}}""",
        """{"schema":1,"pool":{"threads":1},"endpoints":[{"endpoint":"a","requests":-1e99}]}""",
        "[" + new string('[', 5000),
        "<!doctype html>",
        """{"schema":1,"pool":{}""");

    [Theory]
    [MemberData(nameof(NoReports))]
    public async Task Report_IsNoAnswerAndTheRunsFiguresStay_WhenItIsUnreadable(string body)
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;
        // The first answer and a later one are reports; the bad ones come in the middle of the run.
        server.Report.Instead = (context, poll) => poll is 1 or 4 ? Task.FromResult(false) : WriteAsync(context, body);

        var tool = await Tool.RunAsync("run", server.Url + "/delay/50", "-t", "1", "--requests", "20", "-w", "0", "--json");
        var report = await Tool.RunAsync("report", server.Url);

        tool.ExitCode.ShouldBe(0, tool.Messages);
        ((long)tool.Json["total"]!["requests"]!).ShouldBeGreaterThan(0);
        tool.Json["server"]!["findings"]!.ToJsonString().ShouldContain("is not a report");
        report.ExitCode.ShouldBeOneOf(0, 3);
    }

    [Fact]
    public async Task Report_IsNoAnswer_WhenItIsEndlessOrHangsInTheMiddle()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;
        server.Report.Instead = async (context, poll) =>
        {
            var chunk = new byte[1024 * 1024];
            for (long sent = 0; poll == 1 && sent < 1L << 30 && !context.RequestAborted.IsCancellationRequested; sent += chunk.Length)
            {
                await context.Response.Body.WriteAsync(chunk, CancellationToken.None);
            }

            await context.Response.WriteAsync("{ \"schema\": 1,", CancellationToken.None);
            await context.Response.Body.FlushAsync(CancellationToken.None);
            await Task.Delay(Timeout.Infinite, context.RequestAborted).ContinueWith(static _ => { }, TaskScheduler.Default);
            return true;
        };

        var endless = await Tool.RunAsync("run", server.Url + "/plain", "--once", "--timeout", "5s", "--json");
        var hanging = await Tool.RunAsync("run", server.Url + "/plain", "--once", "--timeout", "5s", "--json");

        ((string)endless.Json["server"]!["status"]!).ShouldBeOneOf("unreadable", "noAnswer");
        ((string)hanging.Json["server"]!["status"]!).ShouldBe("noAnswer");
        hanging.ExitCode.ShouldBe(0, hanging.Messages);
    }

    private static async Task<bool> WriteAsync(HttpContext context, string body)
    {
        await context.Response.WriteAsync(body);
        return true;
    }
}
