namespace AsyncProbe.Faults.Tests;

/// <summary>The faults of the table in <c>tests/results/faults.md</c>.</summary>
internal static class Faults
{
    private const int Stop = 19;
    private const int Continue = 18;
    private const int Kill = 9;

    private static readonly TimeSpan s_stopped = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan s_full = TimeSpan.FromSeconds(2);

    // Gives the host a temporary folder of its own that has no byte left.
    private const string InFullFolder =
        "mount -t tmpfs -o size=16k none /mnt; head -c 20000 /dev/zero > /mnt/all 2>/dev/null; TMPDIR=/mnt exec \"$@\"";

    public static IReadOnlyList<Fault> All { get; } =
    [
        new("heap limit", host => FillAsync(host, "memory")) { Variables = Variable("DOTNET_GCHeapHardLimit", "0x4000000") },
        new("descriptors", host => FillAsync(host, "descriptors")) { Limits = ["prlimit", "--nofile=400"] },
        new("threads", NothingAsync)
        {
            Limits = Environment.IsPrivilegedProcess ? SurroundingsTests.AsOther.Split(' ') : [],
            NeedsOpenCopy = true,
            Arguments = ["--ban", "started"],

            // It starts a thread of its own.
            Unanswerable = "/outside",
        },
        new("full temporary folder", NothingAsync) { Limits = ["unshare", "--mount", "sh", "-c", InFullFolder, "sh"] },
        new("clock set back", SetBackAsync)
        {
            // Debian's package libfaketime.
            Variables = new Dictionary<string, string>
            {
                ["LD_PRELOAD"] = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
                ["FAKETIME_TIMESTAMP_FILE"] = "%clock%",
                ["FAKETIME_NO_CACHE"] = "1",
                ["FAKETIME_DONT_FAKE_MONOTONIC"] = "1",
            },
        },
        new("killed neighbour", KillNeighbourAsync),
        new("unloaded AssemblyLoadContext", UnloadAsync),
        new("stopped for 30 s", StopAsync),
    ];

    private static Task NothingAsync(FaultHostProcess host) => Task.CompletedTask;

    private static async Task FillAsync(FaultHostProcess host, string what)
    {
        await host.PostAsync("/hog/" + what);
        await Task.Delay(s_full);
        await host.PostAsync("/hog/none");
    }

    // By an hour, forth and back again.
    private static async Task SetBackAsync(FaultHostProcess host)
    {
        foreach (var shift in (string[])["-3600", "+0", "-7200", "+0"])
        {
            await File.WriteAllTextAsync(host.Clock, shift);
            await Work.RunAsync(host, times: 1);
        }
    }

    private static async Task KillNeighbourAsync(FaultHostProcess host)
    {
        await using var neighbour = await FaultHostProcess.StartAsync(["--probe", host.IsProbed ? "on" : "off"]);
        var work = Work.RunAsync(neighbour);
        await host.PostAsync("/_threadpool/snapshot");
        _ = FaultHostProcess.Signal(neighbour.Process.Id, Kill);
        await work;
    }

    private static async Task UnloadAsync(FaultHostProcess host)
    {
        for (var i = 0; i < 3; i++)
        {
            if (await host.PostAsync("/unload") is not "unloaded" and var answer)
            {
                throw new InvalidOperationException($"The load context was {answer}.");
            }
        }
    }

    private static async Task StopAsync(FaultHostProcess host)
    {
        _ = FaultHostProcess.Signal(host.Process.Id, Stop);
        await Task.Delay(s_stopped);
        _ = FaultHostProcess.Signal(host.Process.Id, Continue);
    }

    private static Dictionary<string, string> Variable(string name, string value) => new() { [name] = value };
}
