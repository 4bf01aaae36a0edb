using System.Buffers.Binary;

namespace AsyncProbe.StackSnapshots.Trace;

/// <summary>The fields of the sample profiler's event in addition to the stack.</summary>
internal static class ThreadSampleEvent
{
    // The thread was outside managed code. A waiting thread always is.
    private const int External = 1;

    public static bool IsOutsideManagedCode(ReadOnlySpan<byte> payload) =>
        payload.Length >= sizeof(int) && BinaryPrimitives.ReadInt32LittleEndian(payload) == External;
}
