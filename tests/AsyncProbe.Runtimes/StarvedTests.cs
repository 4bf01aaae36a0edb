using System.Net.Sockets;
using System.Text;
using AsyncProbe.Tests;

namespace AsyncProbe.Runtimes;

/// <summary>The lifeline while no pool thread is free. Everything runs on its own thread, because the pool's threads are taken.</summary>
public sealed class StarvedTests
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(30);

    [Fact]
    public async Task Lifeline_AnswersWithTheReport_WhileNoPoolThreadIsFree()
    {
        var port = FreePort.Take();
        await using var app = await ProbedApp.StartAsync(_ => { }, configure: b => b.Configuration["AsyncProbe:LifelinePort"] = $"{port}");

        var answer = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        new Thread(() =>
        {
            try
            {
                answer.SetResult(Starved(() => Ask(port)));
            }
            catch (Exception e)
            {
                answer.SetException(e);
            }
        })
        { IsBackground = true }.Start();
        var text = await answer.Task.WaitAsync(3 * s_timeout);

        text.ShouldStartWith("HTTP/1.1 200");
        text.ShouldContain("\"schema\":1");
        text.ShouldContain("\"state\":\"starved\"");
    }

    /// <summary>Asks until the answer says "starved", while every thread that the pool may have is taken.</summary>
    private static string Starved(Func<string> ask)
    {
        ThreadPool.GetMaxThreads(out var workers, out var io);
        var most = Math.Max(Environment.ProcessorCount, ThreadPool.ThreadCount) + 1;
        ThreadPool.SetMaxThreads(most, io).ShouldBeTrue();
        using var release = new ManualResetEvent(false);
        var items = 2 * most;
        var left = 0;
        try
        {
            for (var i = 0; i < items; i++)
            {
                ThreadPool.UnsafeQueueUserWorkItem(_ => Hold(), null);
            }

            var answer = "";
            Eventually.Spin(
                () => (answer = ask()).Contains("\"state\":\"starved\"", StringComparison.Ordinal),
                () => $"The last answer is not starved: {answer}");

            Volatile.Read(ref left).ShouldBe(0, "nobody has given his thread back meanwhile");
            return answer;
        }
        finally
        {
            release.Set();
            Eventually.Spin(() => Volatile.Read(ref left) == items);
            ThreadPool.SetMaxThreads(workers, io);
        }

        void Hold()
        {
            release.WaitOne();
            Interlocked.Increment(ref left);
        }
    }

    private static string Ask(int port)
    {
        using var client = new TcpClient { SendTimeout = 10_000, ReceiveTimeout = 30_000 };
        client.Connect("127.0.0.1", port);
        using var stream = client.GetStream();
        stream.Write(Encoding.ASCII.GetBytes($"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"));
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd();
    }
}
