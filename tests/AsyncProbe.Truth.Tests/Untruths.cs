namespace AsyncProbe.Truth.Tests;

/// <summary>
/// What is known to be told wrongly, each with its reason. A test fails when one of them becomes right, so that it is struck, and when
/// another goes wrong.
/// </summary>
internal static class Untruths
{
    public static IReadOnlyList<KnownUntruth> Known { get; } =
    [
        new("work that goes on after the response", Aspect.Site,
            "In Production the hook watches the next requests of an endpoint whose requests block. Work that blocks only after the response arms nobody, and what sleeps there is not sampled: its time is counted apart, its place is not named.")
        {
            IsByChance = true,
        },
        new("GetStringAsync\\(\\)\\.Result", Aspect.Kind,
            "Optimised code may leave no trace of where it is between the method's beginning and the wait; then the place is the statement before, and the kind that of the task beneath.")
        {
            IsByChance = true,
        },
        new("Task\\.Delay|library awaits|inner async|Task\\.Run", Aspect.Kind,
            "A lock inside the runtime (its list of timers, while the code under it is compiled for the first time) is told as a lock of the line that called: 1 to 20 ms, a few times in the life of a process.")
        {
            IsByChance = true,
        },
        new("Task\\.Delay|library awaits|inner async|Task\\.Run", Aspect.Contradiction,
            "The same lock inside the runtime under an allowed wait, or a wait that a stack snapshot met: told as not allowed, so the line has two rows.")
        {
            IsByChance = true,
            Expected = "allowed:",
        },
        new("CPU work", Aspect.FalseAlarm,
            "A stack snapshot may meet a CPU loop that has no core at the moment, with 32 clients on two cores, and tell it as a wait in native code.")
        {
            IsByChance = true,
        },
        new("", Aspect.Contradiction,
            "asyncprobe run decides by the two seconds of its run, the report by the endpoint's last minutes: near the border of a verdict they may differ.")
        {
            IsByChance = true,
            Expected = "in asyncprobe run",
        },
    ];
}
