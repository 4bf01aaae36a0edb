namespace AsyncProbe.Clocks;

/// <summary>Whether the clocks of threads are asked at all.</summary>
internal static class ThreadClocks
{
    /// <summary>
    /// False by a switch, for a system whose clocks are wrong. It is then as on an unknown platform: held time is all there is.
    /// </summary>
    public static bool AreAsked { get; } = !AppContext.TryGetSwitch("AsyncProbe.ThreadClocks", out var isOn) || isOn;

    /// <summary>
    /// False by a switch, for a kernel whose figures are wrong. It is then as on Windows: the wait for a core is part of blocked.
    /// </summary>
    public static bool AreRunQueuesAsked { get; } = !AppContext.TryGetSwitch("AsyncProbe.RunQueue", out var isOn) || isOn;

    /// <summary>
    /// False by a switch, for a process that uses restartable sequences in a way of its own. A segment then costs a system call more.
    /// </summary>
    public static bool AreSwitchesMarked { get; } = !AppContext.TryGetSwitch("AsyncProbe.SwitchMarks", out var isOn) || isOn;
}
