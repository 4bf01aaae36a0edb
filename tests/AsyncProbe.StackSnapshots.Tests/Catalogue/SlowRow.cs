namespace AsyncProbe.StackSnapshots.Tests.Catalogue;

/// <param name="Code">What blocks, as a developer writes it.</param>
/// <param name="Kind">The kind that the report must name.</param>
/// <param name="Sin">The method that does it, and that must be blamed.</param>
internal sealed record SlowRow(string Code, string Kind, Action Sin)
{
    public static readonly string[] Positions = ["first", "later", "library"];

    public string Method => Sin.Method.Name;

    public static IReadOnlyList<SlowRow> All { get; } =
    [
        new("Thread.Sleep", "Sleep", SlowSins.Sleep),
        new("a P/Invoke that waits", "native", SlowSins.NativeWait),
        new("a P/Invoke with marshalling", "native", SlowSins.MarshalledNativeWait),
        new("a synchronous read of a FIFO", "SyncIO", SlowSins.SlowFile),
        new("File.ReadAllText of a FIFO", "SyncIO", SlowSins.SlowFileAsText),
        new("a static constructor, contended", "Lock", SlowSins.StaticConstructor),
        new("a wait that never ends", "WaitHandle", SlowSins.Hang),
    ];
}
