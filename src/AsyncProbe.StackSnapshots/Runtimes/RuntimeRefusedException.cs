namespace AsyncProbe.StackSnapshots.Runtimes;

/// <summary>The runtime understood a command but refused it.</summary>
/// <param name="error">The HRESULT.</param>
internal sealed class RuntimeRefusedException(uint error)
    : IOException(FormattableString.Invariant($"the runtime refused the session with error {error:X8}."))
{
    public uint Error { get; } = error;
}
