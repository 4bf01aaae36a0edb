namespace AsyncProbe.Clocks;

/// <summary>What the operating system needs to find a thread's clocks.</summary>
/// <param name="OsThreadId">The operating system's id of the thread; 0 if unknown.</param>
/// <param name="Handle">
/// On Linux, an open descriptor of the thread's run-queue figures; on Windows, a handle of the thread; <see cref="NoHandle"/> if there is
/// none.
/// </param>
internal readonly record struct ThreadIdentity(int OsThreadId, int Handle)
{
    public const int NoHandle = -1;

    public static ThreadIdentity Unknown { get; } = new(0, NoHandle);

    public static ThreadIdentity OfCurrentThread()
    {
        if (OperatingSystem.IsWindows() && ThreadClocks.AreAsked)
        {
            return WindowsThreadClock.Identify();
        }

        return OperatingSystem.IsLinux() && LinuxThreadClock.IsSupported ? LinuxThreadClock.Identify() : Unknown;
    }

    public void Release()
    {
        if (Handle == NoHandle)
        {
            return;
        }

        if (OperatingSystem.IsLinux())
        {
            LinuxThreadClock.Release(Handle);
        }
        else if (OperatingSystem.IsWindows())
        {
            WindowsThreadClock.Close(Handle);
        }
    }
}
