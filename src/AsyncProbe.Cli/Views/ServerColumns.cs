namespace AsyncProbe.Cli.Views;

/// <summary>The columns of the server's tables, each with what it means.</summary>
internal static class ServerColumns
{
    public static TextColumn Held { get; } = new("held", 0, "how long a pool thread was taken");

    public static TextColumn Cpu { get; } = new("cpu", 7, "it ran");

    public static TextColumn CpuWait { get; } = new("cpuWait", 8, "it was ready, but no core was free");

    public static TextColumn Gc { get; } = new("gc", 9, "the garbage collector stopped it");

    public static TextColumn Blocked { get; } = new("blocked", 0, "it did nothing");

    public static TextColumn Ceiling { get; } = new("ceiling/s", 1, "the most that threads and cores allow");

    public static TextColumn IfAsync { get; } = new("if async/s", 6, "the ceiling without the blocking that async avoids");

    public static TextColumn Verdict { get; } = new("verdict", 2, IsText: true);
}
