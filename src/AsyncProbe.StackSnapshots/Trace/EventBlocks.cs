using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace AsyncProbe.StackSnapshots.Trace;

/// <summary>Parses the blocks of a trace. Stacks and event types are defined once and then referred to by number.</summary>
internal sealed class EventBlocks(IEventSink sink)
{
    [Flags]
    private enum Has : byte
    {
        Metadata = 1,
        Sequence = 2,
        Thread = 4,
        Stack = 8,
        Activity = 16,
        RelatedActivity = 32,
        Length = 128,
    }

    private const int IdLength = 16;
    private const short Compressed = 1;

    private readonly Dictionary<int, EventKind> _kinds = [];
    private readonly Dictionary<int, byte[]> _stacks = [];

    public void Read(string type, ReadOnlySpan<byte> block)
    {
        switch (type)
        {
            case "EventBlock":
                ReadEvents(block, isMetadata: false);
                break;
            case "MetadataBlock":
                ReadEvents(block, isMetadata: true);
                break;
            case "StackBlock":
                ReadStacks(block);
                break;
            case "SPBlock":
                // After this block, the numbering of stacks restarts.
                _stacks.Clear();
                break;
        }
    }

    private void ReadStacks(ReadOnlySpan<byte> block)
    {
        var id = BinaryPrimitives.ReadInt32LittleEndian(block);
        var count = BinaryPrimitives.ReadInt32LittleEndian(block[4..]);
        for (block = block[8..]; count > 0; count--, id++)
        {
            var size = BinaryPrimitives.ReadInt32LittleEndian(block);
            _stacks[id] = block.Slice(4, size).ToArray();
            block = block[(4 + size)..];
        }
    }

    private void ReadEvents(ReadOnlySpan<byte> block, bool isMetadata)
    {
        var header = BinaryPrimitives.ReadInt16LittleEndian(block);
        if ((BinaryPrimitives.ReadInt16LittleEndian(block[2..]) & Compressed) == 0)
        {
            throw new InvalidDataException(
                "The runtime's event stream is not compressed; this version of AsyncProbe.StackSnapshots does not know its format.");
        }

        var (kind, stack, length, thread, time) = (0, 0, 0, 0L, 0L);
        for (block = block[header..]; block.Length > 0; block = block[length..])
        {
            // A field that an event leaves out has the value of the event before it.
            var has = (Has)block[0];
            block = block[1..];
            kind = has.HasFlag(Has.Metadata) ? (int)Number(ref block) : kind;
            if (has.HasFlag(Has.Sequence))
            {
                Number(ref block);
                Number(ref block);
                Number(ref block);
            }

            thread = has.HasFlag(Has.Thread) ? (long)Number(ref block) : thread;
            stack = has.HasFlag(Has.Stack) ? (int)Number(ref block) : stack;
            time += (long)Number(ref block);
            block = block[((has.HasFlag(Has.Activity) ? IdLength : 0) + (has.HasFlag(Has.RelatedActivity) ? IdLength : 0))..];
            length = has.HasFlag(Has.Length) ? (int)Number(ref block) : length;
            if (isMetadata)
            {
                Define(block[..length]);
            }
            else
            {
                sink.OnEvent(_kinds.GetValueOrDefault(kind), thread, time, _stacks.GetValueOrDefault(stack), block[..length]);
            }
        }
    }

    private void Define(ReadOnlySpan<byte> payload)
    {
        var id = BinaryPrimitives.ReadInt32LittleEndian(payload);
        var text = MemoryMarshal.Cast<byte, char>(payload[4..]);
        var provider = text[..text.IndexOf('\0')];
        var number = BinaryPrimitives.ReadInt32LittleEndian(payload[(4 + ((provider.Length + 1) * sizeof(char)))..]);
        _kinds[id] = provider switch
        {
            "Microsoft-DotNETCore-SampleProfiler" when number == 0 => EventKind.ThreadSample,
            "Microsoft-Windows-DotNETRuntimeRundown" => number switch
            {
                144 => EventKind.Method,
                150 => EventKind.IlToNativeMap,
                154 => EventKind.Module,
                _ => EventKind.Other,
            },
            _ => EventKind.Other,
        };
    }

    private static ulong Number(ref ReadOnlySpan<byte> block)
    {
        var (value, shift, i) = (0UL, 0, 0);
        byte b;
        do
        {
            b = block[i++];
            value |= (ulong)(b & 0x7F) << shift;
            shift += 7;
        }
        while ((b & 0x80) != 0);
        block = block[i..];
        return value;
    }
}
