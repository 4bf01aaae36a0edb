using System.Buffers.Binary;
using System.Diagnostics;
using System.Globalization;
using System.Text;
using AsyncProbe.StackSnapshots.Trace;

namespace AsyncProbe.StackSnapshots.Tests;

/// <summary>A trace with a few wrong bytes is refused with a sentence, whatever they are. The seed reproduces a finding.</summary>
public sealed class NettraceFuzzTests
{
    private const int Runs = 20_000;

    private static readonly byte[] s_trace = MakeTrace();

    [Fact]
    public void Trace_IsRead()
    {
        var sink = new Counting();
        Read(s_trace, sink);

        sink.Samples.ShouldBe(2);
    }

    [Fact]
    public void ChangedTrace_IsRefusedWithASentence()
    {
        var budget = TimeSpan.FromSeconds(
            int.TryParse(Environment.GetEnvironmentVariable("ASYNCPROBE_FUZZ_SECONDS"), CultureInfo.InvariantCulture, out var asked) ? asked : 5);
        var clock = Stopwatch.StartNew();
        var found = new List<string>();
        for (var seed = 1; (seed <= Runs || asked > 0) && clock.Elapsed < budget; seed++)
        {
            try
            {
                Read(Change(seed), new Counting());
            }
            catch (Exception e) when (e is not (InvalidDataException or EndOfStreamException))
            {
                found.Add($"seed {seed}: {e.GetType().Name}");
            }
            catch (IOException)
            {
                // The trace was refused with a sentence.
            }
        }

        found.ShouldBeEmpty();
    }

    private static void Read(byte[] trace, IEventSink sink)
    {
        using var stream = new MemoryStream(trace);
        using var reader = new NettraceReader(stream, sink, 1_000_000, TimeSpan.FromMinutes(1));
        try
        {
            reader.Read();
        }
        catch (InvalidDataException e)
        {
            e.Message.ShouldStartWith("The runtime's event stream ");
            throw new EndOfStreamException(e.Message);
        }
    }

    private static byte[] Change(int seed)
    {
        var random = new Random(seed);
        var trace = s_trace.ToList();
        for (var changes = random.Next(1, 6); changes > 0; changes--)
        {
            var at = random.Next(trace.Count);
            switch (random.Next(4))
            {
                case 0:
                    trace[at] = (byte)random.Next(256);
                    break;
                case 1:
                    trace[at] ^= (byte)(1 << random.Next(8));
                    break;
                case 2:
                    trace.RemoveRange(at, Math.Min(trace.Count - at - 1, random.Next(4)));
                    break;
                default:
                    trace.InsertRange(at, Enumerable.Repeat((byte)random.Next(256), random.Next(1, 5)));
                    break;
            }
        }

        return [.. trace];
    }

    private static byte[] MakeTrace()
    {
        using var trace = new MemoryStream();
        trace.Write("Nettrace"u8);
        Text(trace, "!FastSerialization.1");
        Object(trace, "Trace", new byte[48], isBlock: false);
        Object(trace, "MetadataBlock", Events(Metadata()), isBlock: true);
        Object(trace, "StackBlock", [.. Int(1), .. Int(1), .. Int(16), .. new byte[16]], isBlock: true);
        Object(trace, "EventBlock", Events([1, 2, 3, 4], [5, 6, 7, 8]), isBlock: true);
        Object(trace, "SPBlock", new byte[12], isBlock: true);
        trace.WriteByte(1);
        return trace.ToArray();
    }

    private static byte[] Metadata() => [.. Int(1), .. Encoding.Unicode.GetBytes("Microsoft-DotNETCore-SampleProfiler\0"), .. Int(0), .. Int(0)];

    /// <summary>Each event contains its kind (1), sequence, thread (7), stack (1), time and length.</summary>
    private static byte[] Events(params byte[][] payloads) =>
    [
        20, 0, 1, 0, .. new byte[16],
        .. payloads.SelectMany(payload => new byte[] { 1 | 2 | 4 | 8 | 128, 1, 0, 0, 0, 7, 1, 9, (byte)payload.Length }.Concat(payload)),
    ];

    private static void Object(MemoryStream trace, string type, byte[] content, bool isBlock)
    {
        trace.Write([5, 5, 1, .. new byte[8]]);
        Text(trace, type);
        trace.WriteByte(6);
        if (isBlock)
        {
            trace.Write(Int(content.Length));
            trace.Write(new byte[(int)(-trace.Position & 3)]);
        }

        trace.Write(content);
        trace.WriteByte(6);
    }

    private static void Text(MemoryStream trace, string text)
    {
        trace.Write(Int(text.Length));
        trace.Write(Encoding.ASCII.GetBytes(text));
    }

    private static byte[] Int(int value)
    {
        var bytes = new byte[sizeof(int)];
        BinaryPrimitives.WriteInt32LittleEndian(bytes, value);
        return bytes;
    }

    private sealed class Counting : IEventSink
    {
        public int Samples { get; private set; }

        public void OnEvent(EventKind kind, long threadId, long time, ReadOnlySpan<byte> stack, ReadOnlySpan<byte> payload) =>
            Samples += kind == EventKind.ThreadSample ? 1 : 0;
    }
}
