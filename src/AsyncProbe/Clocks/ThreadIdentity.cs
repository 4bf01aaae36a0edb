namespace AsyncProbe.Clocks;

/// <summary>What the operating system needs to find a thread's clocks.</summary>
/// <param name="OsThreadId">The operating system's id of the thread; 0 when unknown.</param>
/// <param name="RunQueueFile">An open descriptor of the thread's run-queue figures; -1 when there is none.</param>
internal readonly record struct ThreadIdentity(int OsThreadId, int RunQueueFile)
{
    public static ThreadIdentity Unknown { get; } = new(0, -1);

    public static ThreadIdentity OfCurrentThread() =>
        OperatingSystem.IsLinux() && LinuxThreadClock.IsSupported ? LinuxThreadClock.Identify() : Unknown;

    public void Release()
    {
        if (OperatingSystem.IsLinux() && RunQueueFile >= 0)
        {
            LinuxThreadClock.Close(RunQueueFile);
        }
    }
}
