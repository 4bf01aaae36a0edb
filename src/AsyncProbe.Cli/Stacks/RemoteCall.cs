namespace AsyncProbe.Cli.Stacks;

/// <summary>A call in a method's code.</summary>
/// <param name="Offset">The offset of its instruction.</param>
/// <param name="Method">The name of the called method.</param>
/// <param name="IsNative">Whether that is a native function.</param>
internal sealed record RemoteCall(int Offset, string Method, bool IsNative);
