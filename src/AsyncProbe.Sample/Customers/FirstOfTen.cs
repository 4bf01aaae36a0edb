using System.Diagnostics;
using AsyncProbe.Sample.Upstream;

namespace AsyncProbe.Sample.Customers;

/// <summary>Which of ten calls answered first, and how long that took.</summary>
public sealed record FirstAnswer(int Call, double TookMs, int Cancelled);

/// <summary>Makes ten calls at once; the first answer wins, and the others are cancelled.</summary>
internal static class FirstOfTen
{
    private const int Calls = 10;

    // Holds eleven threads: one for each call, and one that waits for them.
    public static FirstAnswer Get(UpstreamClient upstream, CancellationToken left)
    {
        using var others = CancellationTokenSource.CreateLinkedTokenSource(left);
        var token = others.Token;
        var began = Stopwatch.GetTimestamp();
        Task[] calls = [.. Delays().Select(ms => Task.Run(() => upstream.Wait(ms, token), token))];
        var first = Task.WaitAny(calls, left);
        others.Cancel();
        calls[first].GetAwaiter().GetResult();
        return Answer(first, began);
    }

    public static async Task<FirstAnswer> GetAsync(UpstreamClient upstream, CancellationToken left)
    {
        using var others = CancellationTokenSource.CreateLinkedTokenSource(left);
        var began = Stopwatch.GetTimestamp();
        Task<string>[] calls = [.. Delays().Select(ms => upstream.WaitAsync(ms, others.Token))];
        var first = await Task.WhenAny(calls);
        await others.CancelAsync();
        await first;
        return Answer(Array.IndexOf(calls, first), began);
    }

    // From 100 to 1000 ms, in random order.
    private static int[] Delays()
    {
        int[] delays = [.. Enumerable.Range(1, Calls).Select(i => i * 100)];
        Random.Shared.Shuffle(delays);
        return delays;
    }

    private static FirstAnswer Answer(int first, long began) =>
        new(first + 1, Math.Round(Stopwatch.GetElapsedTime(began).TotalMilliseconds, 1), Calls - 1);
}
