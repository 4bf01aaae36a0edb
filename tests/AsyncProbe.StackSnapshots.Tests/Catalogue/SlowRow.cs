namespace AsyncProbe.StackSnapshots.Tests.Catalogue;

/// <param name="Code">What blocks, as a developer writes it.</param>
/// <param name="Kind">The kind that the report must name.</param>
/// <param name="Sin">The method that does it, and that must be blamed.</param>
internal sealed record SlowRow(string Code, string Kind, Action Sin)
{
    public static readonly string[] Positions = ["first", "later", "library"];

    public string Method => Sin.Method.Name;

    /// <summary>What the wait hook names, too: when it ends, and one that never ends while it lasts.</summary>
    /// <param name="isWindows">There a synchronous read of a socket is no managed wait.</param>
    public bool IsSeenByTheHook(bool isWindows) =>
        Method == nameof(SlowSins.Hang) || (Method == nameof(SlowSins.HttpClientSend) && !isWindows);

    public static IReadOnlyList<SlowRow> All { get; } =
    [
        new("Thread.Sleep", "Sleep", SlowSins.Sleep),
        new("a P/Invoke that waits", "native", SlowSins.NativeWait),
        new("a P/Invoke with marshalling", "native", SlowSins.MarshalledNativeWait),
        new("a synchronous read of a slow file", "SyncIO", SlowSins.SlowFile),
        new("File.ReadAllText of a slow file", "SyncIO", SlowSins.SlowFileAsText),
        new("httpClient.Send", "SyncHttp", SlowSins.HttpClientSend),
        new("a static constructor, contended", "Lock", SlowSins.StaticConstructor),
        new("a wait that never ends", "WaitHandle", SlowSins.Hang),
    ];
}
