namespace AsyncProbe.StackSnapshots.Tests.Catalogue;

/// <param name="Code">The blocking code, as a developer writes it.</param>
/// <param name="Kind">The kind that the report must name.</param>
/// <param name="Sin">The method that blocks and must be blamed.</param>
internal sealed record SlowRow(string Code, string Kind, Action Sin)
{
    public static readonly string[] Positions = ["first", "later", "library"];

    public string Method => Sin.Method.Name;

    /// <summary>Whether the wait hook names it as well: when the wait ends or, if it never ends, while it lasts.</summary>
    /// <param name="isWindows">On Windows a synchronous read from a socket is not a managed wait.</param>
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
