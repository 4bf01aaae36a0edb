namespace AsyncProbe.Cli.Stacks;

/// <summary>A call in a method's code.</summary>
/// <param name="Offset">Where its instruction is.</param>
/// <param name="Method">The name of the method that it calls.</param>
/// <param name="IsNative">Whether that is a native function.</param>
internal sealed record RemoteCall(int Offset, string Method, bool IsNative);
