using System.Diagnostics.CodeAnalysis;

namespace AsyncProbe.Sample.Sins;

/// <summary>Value tasks: some block, and some don't.</summary>
[SuppressMessage("Reliability", "CA2012:Use ValueTasks correctly", Justification = "Using them wrongly is what is shown.")]
internal static class ValueTaskSins
{
    public static int Wait(int ms)
    {
        Later.ValueAsync(ms).AsTask().Wait();
        return ms;
    }

    public static int Result(int ms)
    {
        var answer = Later.ValueAsync(ms).AsTask().Result;
        return answer;
    }

    public static int DisposeAsync(int ms)
    {
        new Later.Leaver(ms).DisposeAsync().AsTask().Wait();
        return ms;
    }

    public static int ResultCompleted(int ms) => new ValueTask<int>(ms).Result;

    public static async Task AwaitUsing(HttpContext context, int ms)
    {
        await using var leaver = new Later.Leaver(ms);
    }
}
