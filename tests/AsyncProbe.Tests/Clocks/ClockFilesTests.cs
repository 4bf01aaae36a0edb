using System.Runtime.Versioning;
using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Tests.Clocks;

/// <summary>The files of the threads' clocks on Linux. A process with hundreds of pool threads must not lose as many descriptors to them.</summary>
[SupportedOSPlatform("linux")]
public sealed class ClockFilesTests
{
    private const int MostFiles = LinuxThreadClock.MostFiles;

    [Fact]
    public void Threads_KeepFewFilesOpen_HoweverManyThereAre()
    {
        if (!OperatingSystem.IsLinux() || !LinuxThreadClock.HasRunQueue)
        {
            return;
        }

        var before = OpenFiles();
        using var isOver = new ManualResetEventSlim();
        using var areIdentified = new CountdownEvent(3 * MostFiles);
        var identities = new ThreadIdentity[3 * MostFiles];
        var cpu = new Duration[3 * MostFiles];
        var threads = Enumerable.Range(0, 3 * MostFiles).Select(i => new Thread(() =>
        {
            var reading = default(ThreadReading);
            identities[i] = ThreadIdentity.OfCurrentThread();
            LinuxThreadClock.Read(in identities[i], ref reading, Timestamp.Now());
            cpu[i] = reading.Cpu;
            areIdentified.Signal();
            isOver.Wait();
        })).ToList();
        threads.ForEach(thread => thread.Start());
        areIdentified.Wait();

        var open = OpenFiles() - before;

        isOver.Set();
        threads.ForEach(thread => thread.Join());
        Array.ForEach(identities, identity => identity.Release());
        open.ShouldBeInRange(0, MostFiles);
        identities.Count(identity => identity.Handle == ThreadIdentity.NoHandle).ShouldBeGreaterThanOrEqualTo(2 * MostFiles);
        cpu.ShouldAllBe(time => time > Duration.Zero);
    }

    private static int OpenFiles() => Directory.EnumerateFileSystemEntries("/proc/self/fd").Count(IsClock);

    private static bool IsClock(string descriptor)
    {
        try
        {
            return File.ResolveLinkTarget(descriptor, returnFinalTarget: false)?.FullName.EndsWith("/schedstat", StringComparison.Ordinal) == true;
        }
        catch (IOException)
        {
            // It was closed in between.
            return false;
        }
    }
}
