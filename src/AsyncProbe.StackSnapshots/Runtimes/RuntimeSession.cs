using System.Buffers.Binary;
using System.Diagnostics.Tracing;
using System.Text;

namespace AsyncProbe.StackSnapshots.Runtimes;

/// <summary>
/// An event session with the runtime of this or another process, over a blocking connection. Microsoft's client connects asynchronously,
/// and after that even its synchronous reads may need a pool thread. In a starved pool, one snapshot in ten took as long as a work item
/// waited.
/// </summary>
internal sealed class RuntimeSession : IDisposable
{
    private const byte EventPipe = 2;
    private const byte StopTracing = 1;
    private const byte CollectTracing2 = 3;
    private const byte CollectTracing4 = 5;
    private const uint Nettrace = 1;
    private const ulong AllKeywords = ulong.MaxValue;

    // An upper limit. The runtime allocates what the events need and frees it when the session ends.
    private const uint BufferMB = 64;

    private readonly ulong _id;
    private readonly TimeSpan _longest;
    private readonly RuntimeAddress _address;

    private RuntimeSession(RuntimeAddress address, Stream events, ulong id, TimeSpan longest) =>
        (_address, Events, _id, _longest) = (address, events, id, longest);

    /// <summary>The events that the runtime sends until the session ends.</summary>
    public Stream Events { get; }

    /// <param name="address">The process's runtime.</param>
    /// <param name="provider">The provider of the events.</param>
    /// <param name="level">The most detailed level to include.</param>
    /// <param name="rundown">What to list at the end of the session; 0 for nothing.</param>
    /// <param name="longest">How long a single answer may take.</param>
    /// <exception cref="IOException">The runtime does not answer, or refuses the session.</exception>
    public static RuntimeSession Start(RuntimeAddress address, string provider, EventLevel level, ulong rundown, TimeSpan longest)
    {
        // .NET 8 can't choose what to list. It lists what is needed here, and not much more.
        var isChosen = rundown != 0 && address.Major > 8;
        using var payload = new MemoryStream();
        using (var writer = new BinaryWriter(payload, Encoding.Unicode, leaveOpen: true))
        {
            writer.Write(BufferMB);
            writer.Write(Nettrace);
            if (isChosen)
            {
                writer.Write(rundown);
            }

            // The meaning depends on the command: whether to send a rundown, or whether to collect stacks.
            writer.Write(rundown != 0 && !isChosen);
            writer.Write(1);
            writer.Write(AllKeywords);
            writer.Write((uint)level);
            RuntimeMessage.Write(writer, provider);
            RuntimeMessage.Write(writer, "");
        }

        var runtime = RuntimeConnection.Open(address, longest);
        try
        {
            RuntimeMessage.Send(runtime, EventPipe, isChosen ? CollectTracing4 : CollectTracing2, payload.ToArray());
            var id = BinaryPrimitives.ReadUInt64LittleEndian(RuntimeMessage.ReadAnswer(runtime));
            return new RuntimeSession(address, runtime, id, longest);
        }
        catch
        {
            runtime.Dispose();
            throw;
        }
    }

    /// <summary>
    /// Ends the session. The runtime answers only after all events have been read, so call this from a thread other than the reader's.
    /// </summary>
    /// <exception cref="IOException">The runtime does not answer, or refuses to stop.</exception>
    public void Stop()
    {
        var id = new byte[sizeof(ulong)];
        BinaryPrimitives.WriteUInt64LittleEndian(id, _id);
        using var runtime = RuntimeConnection.OpenAgain(_address, _longest);
        RuntimeMessage.Send(runtime, EventPipe, StopTracing, id);
        RuntimeMessage.ReadAnswer(runtime);
    }

    public void Dispose() => Events.Dispose();
}
