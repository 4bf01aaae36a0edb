using System.Net.Sockets;
using System.Text;

namespace AsyncProbe.Tests.Reporting.Lifeline;

/// <summary>A client that misbehaves at the lifeline doesn't keep others from an answer, and doesn't make anything grow.</summary>
public sealed class LifelineCrowdTests
{
    [Fact]
    public async Task Lifeline_AnswersOthers_WhileAThousandConnectionsSayNothing()
    {
        await using var lifeline = await LifelineApp.StartAsync();
        List<Socket> silent = [];
        for (var i = 0; i < 1000; i++)
        {
            silent.Add(await lifeline.ConnectAsync());
        }

        await lifeline.ShouldAnswerAsync();

        silent.ForEach(s => s.Dispose());
    }

    [Fact]
    public async Task Lifeline_AnswersOthers_WhileSomeSendByteByByte()
    {
        await using var lifeline = await LifelineApp.StartAsync();
        using var stop = new CancellationTokenSource();
        var slow = Enumerable.Range(0, 20).Select(_ => DripAsync(lifeline, stop.Token)).ToList();

        for (var i = 0; i < 5; i++)
        {
            await lifeline.ShouldAnswerAsync();
        }

        await stop.CancelAsync();
        await Task.WhenAll(slow).WaitAsync(ProbedApp.Timeout);
    }

    [Fact]
    public async Task Lifeline_AnswersOthers_WhileSomeNeverReadTheirAnswer()
    {
        await using var lifeline = await LifelineApp.StartAsync(endpoints: 3000);
        List<Socket> deaf = [];
        for (var i = 0; i < 20; i++)
        {
            var socket = await lifeline.ConnectAsync(receiveBuffer: 1024);
            await socket.SendAsync("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"u8.ToArray());
            deaf.Add(socket);
        }

        await lifeline.ShouldAnswerAsync();

        deaf.ForEach(s => s.Dispose());
    }

    // So much that nothing else in this process could hide it.
    [Theory]
    [InlineData(200_000_000, 'a')]
    [InlineData(200_000_000, '\n')]
    [InlineData(200_000_000, '\u00ff')]
    public async Task Lifeline_DropsWhoSendsTooMuch_WithoutGrowing(int size, char content)
    {
        await using var lifeline = await LifelineApp.StartAsync();
        await lifeline.ShouldAnswerAsync();
        var before = GC.GetTotalMemory(forceFullCollection: true);
        var rubbish = Encoding.Latin1.GetBytes(new string(content, 1_000_000));

        using var socket = await lifeline.ConnectAsync();
        try
        {
            for (var sent = 0; sent < size; sent += rubbish.Length)
            {
                await socket.SendAsync(rubbish).WaitAsync(ProbedApp.Timeout);
            }
        }
        catch (SocketException)
        {
            // The lifeline disconnected it, as it should.
        }

        await lifeline.ShouldAnswerAsync();
        (GC.GetTotalMemory(forceFullCollection: true) - before).ShouldBeLessThan(20_000_000);
    }

    private static async Task DripAsync(LifelineApp lifeline, CancellationToken stop)
    {
        while (!stop.IsCancellationRequested)
        {
            using var socket = await lifeline.ConnectAsync();
            try
            {
                foreach (var letter in "GET / HTTP/1.1\r\nHost: localhost\r\nX: y"u8.ToArray())
                {
                    await socket.SendAsync(new[] { letter }, stop);
                    await Task.Delay(100, stop);
                }
            }
            catch (Exception e) when (e is SocketException or OperationCanceledException)
            {
                // It was dropped for being slow, or the test is over.
            }
        }
    }
}
