using System.Buffers.Binary;

namespace AsyncProbe.StackSnapshots.Trace;

/// <summary>What the sample profiler's event says besides the stack.</summary>
internal static class ThreadSampleEvent
{
    // Outside managed code: whoever waits is there.
    private const int External = 1;

    public static bool IsOutsideManagedCode(ReadOnlySpan<byte> payload) =>
        payload.Length >= sizeof(int) && BinaryPrimitives.ReadInt32LittleEndian(payload) == External;
}
