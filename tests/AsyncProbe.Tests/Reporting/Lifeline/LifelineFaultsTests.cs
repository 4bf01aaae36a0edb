using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Text;
using AsyncProbe.Common;
using AsyncProbe.Reporting;
using AsyncProbe.Reporting.Json;
using AsyncProbe.Reporting.Lifeline;
using Microsoft.Extensions.Logging.Abstractions;

namespace AsyncProbe.Tests.Reporting.Lifeline;

/// <summary>The lifeline's thread survives whatever fails on it.</summary>
public sealed class LifelineFaultsTests
{
    private static readonly LifelineAnswer s_ok = new(200, LifelineAnswer.Json, [], []);

    [Fact]
    public async Task Caller_GetsAnErrorAndTheNextAnAnswer_WhenNoReportCanBeMade()
    {
        var faults = new Faults(NullLogger<Faults>.Instance);
        var port = FreePort.Take();
        using var lifeline = new LifelineService(
            new LifelineFiles(),
            new LifelineOrigins(),
            new LifelineMetrics(null!),
            new ReportText(null!),
            new LifelineAddress(),
            Microsoft.Extensions.Options.Options.Create(new AsyncProbeOptions { LifelinePort = port }),
            faults,
            new ThrowingLogger<LifelineService>());
        lifeline.Start();

        (await AskAsync(port)).ShouldStartWith("HTTP/1.1 500 ");
        (await AskAsync(port)).ShouldStartWith("HTTP/1.1 500 ");
        (await AskAsync(port, "/elsewhere")).ShouldStartWith("HTTP/1.1 404 ");

        (await AskAsync(port, "/metrics")).ShouldStartWith("HTTP/1.1 500 ");

        // The logger once when it starts to listen, then each time the report or the metrics, and the logger.
        faults.Count.ShouldBe(7);
    }

    [Fact]
    public async Task Thread_LivesOn_WhenAnAnswerFails()
    {
        var faults = new Faults(NullLogger<Faults>.Instance);
        var port = FreePort.Take();
        var answers = 0;
        using var listener = new LifelineListener(
            port, _ => Interlocked.Increment(ref answers) == 1 ? throw new InvalidOperationException("no answer") : s_ok, faults);

        (await AskAsync(port)).ShouldBeEmpty();
        (await AskAsync(port)).ShouldStartWith("HTTP/1.1 200 ");

        faults.Count.ShouldBe(1);
    }

    [Fact]
    public async Task Thread_PausesBetweenAttempts_WhenTheProcessHasNoDescriptorsLeft()
    {
        const int Failures = 4;
        var faults = new Faults(NullLogger<Faults>.Instance);
        var port = FreePort.Take();
        var attempts = 0;
        using var listener = new LifelineListener(
            port,
            _ => s_ok,
            faults,
            socket => Interlocked.Increment(ref attempts) <= Failures
                ? throw new SocketException((int)SocketError.TooManyOpenSockets)
                : socket.Accept());
        var clock = Stopwatch.StartNew();

        (await AskAsync(port)).ShouldStartWith("HTTP/1.1 200 ");

        clock.Elapsed.ShouldBeGreaterThan(TimeSpan.FromMilliseconds(Failures * 150));
        faults.Count.ShouldBe(Failures);
    }

    [Fact]
    public async Task Caller_IsDropped_WhoSaysNothingForTwoSeconds()
    {
        var port = FreePort.Take();
        using var listener = new LifelineListener(port, _ => s_ok, new Faults(NullLogger<Faults>.Instance));
        var clock = Stopwatch.StartNew();
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(IPAddress.Loopback, port).WaitAsync(ProbedApp.Timeout);

        (await socket.ReceiveAsync(new byte[1]).WaitAsync(ProbedApp.Timeout)).ShouldBe(0);

        clock.Elapsed.ShouldBeGreaterThan(TimeSpan.FromSeconds(1.9));
    }

    private static async Task<string> AskAsync(int port, string path = "/")
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(IPAddress.Loopback, port).WaitAsync(ProbedApp.Timeout);
        await socket.SendAsync(Encoding.ASCII.GetBytes($"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n")).WaitAsync(ProbedApp.Timeout);
        var answer = new StringBuilder();
        var buffer = new byte[4096];
        try
        {
            while (await socket.ReceiveAsync(buffer).WaitAsync(ProbedApp.Timeout) is > 0 and var count)
            {
                answer.Append(Encoding.ASCII.GetString(buffer, 0, count));
            }
        }
        catch (SocketException)
        {
            // It was closed with unread data.
        }

        return answer.ToString();
    }
}
