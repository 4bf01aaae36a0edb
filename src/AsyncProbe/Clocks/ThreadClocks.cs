namespace AsyncProbe.Clocks;

/// <summary>Switches that turn off some of the thread clocks.</summary>
internal static class ThreadClocks
{
    /// <summary>
    /// False if a switch turns them off, for a system whose clocks are wrong. Then only held time is measured, as on an unknown platform.
    /// </summary>
    public static bool AreAsked { get; } = !AppContext.TryGetSwitch("AsyncProbe.ThreadClocks", out var isOn) || isOn;

    /// <summary>
    /// False if a switch turns them off, for a kernel whose figures are wrong. Then the wait for a core is part of blocked time, as on
    /// Windows.
    /// </summary>
    public static bool AreRunQueuesAsked { get; } = !AppContext.TryGetSwitch("AsyncProbe.RunQueue", out var isOn) || isOn;

    /// <summary>
    /// False if a switch turns them off, for a process that uses restartable sequences itself. Each segment then costs one more system
    /// call.
    /// </summary>
    public static bool AreSwitchesMarked { get; } = !AppContext.TryGetSwitch("AsyncProbe.SwitchMarks", out var isOn) || isOn;
}
