namespace AsyncProbe.StackSnapshots;

/// <summary>The runtime understood a command and refuses it.</summary>
/// <param name="error">Its HRESULT.</param>
internal sealed class RuntimeRefusedException(uint error)
    : IOException(FormattableString.Invariant($"the runtime refused the session with error {error:X8}."))
{
    public uint Error { get; } = error;
}
