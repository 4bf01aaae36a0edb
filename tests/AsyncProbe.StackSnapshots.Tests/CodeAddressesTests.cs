using System.Buffers.Binary;
using System.Reflection;
using System.Text;
using AsyncProbe.StackSnapshots.Methods;
using AsyncProbe.StackSnapshots.Trace;

namespace AsyncProbe.StackSnapshots.Tests;

/// <summary>What happens to an address that a list of methods lacks; the lists are made here.</summary>
[SideBySide]
public sealed class CodeAddressesTests
{
    private const ulong Module = 7;
    private const ulong Early = 0x1000;
    private const ulong Late = 0x2000;
    private const ulong Nameless = 0x3000;

    private static readonly MethodInfo s_method = typeof(CodeAddressesTests).GetMethod(nameof(Method), BindingFlags.NonPublic | BindingFlags.Static)!;

    private readonly Clock _clock = new();
    private readonly HashSet<ulong> _listed = [Early];
    private int _lists;
    private string _name = "";

    [Fact]
    public void Address_GetsItsMethod_WhenALaterListHasIt()
    {
        var code = new CodeAddresses(List, _clock);
        code.Find([Late]).ContainsKey(Late).ShouldBeFalse();

        _listed.Add(Late);
        _clock.Advance(TimeSpan.FromSeconds(1));

        code.Find([Late])[Late].Frame!.Value.Method.ShouldBe(s_method);
    }

    [Fact]
    public void Address_GetsItsMethod_WhenAListIsReadForAnotherAtOnce()
    {
        var code = new CodeAddresses(List, _clock);
        code.Find([Late]);

        _listed.Add(Late);

        code.Find([Early, Late])[Late].Frame!.Value.Method.ShouldBe(s_method);
    }

    [Fact]
    public void Lists_GrowRare_WhenNoneHasTheAddress()
    {
        var code = new CodeAddresses(List, _clock);
        for (var second = 0; second < 1000; second++)
        {
            code.Find([Late]);
            _clock.Advance(TimeSpan.FromSeconds(1));
        }

        // After 0, 1, 5, 21, 85 and 341 seconds.
        _lists.ShouldBe(6);
    }

    // Code that hangs, while new code is compiled and listed all the time.
    [Fact]
    public void Address_IsNotAskedForEver_WhenManyListsLackIt()
    {
        var code = new CodeAddresses(List, _clock);
        for (var i = 0UL; i < 100; i++)
        {
            code.Find([Late, 0x10_000 + i]).ContainsKey(Late).ShouldBeFalse();
        }

        _lists.ShouldBe(100);
    }

    [Theory]
    [InlineData("IL_STUB_PInvoke", nameof(InnermostFrame.NativeCall))]
    [InlineData("lambda_method1", nameof(InnermostFrame.Unknown))]
    public void Address_IsAskedForOnce_WhenItsCodeHasNoMethod(string name, string expected)
    {
        var innermost = Enum.Parse<InnermostFrame>(expected);
        _name = name;
        var code = new CodeAddresses(List, _clock);
        _listed.Add(Nameless);
        code.Find([Nameless]);
        _clock.Advance(TimeSpan.FromMinutes(1));

        code.Find([Nameless])[Nameless].ShouldBe(new KnownCode(null, innermost));
        _lists.ShouldBe(1);
    }

    private static void Method()
    {
    }

    private void List(IEventSink sink)
    {
        _lists++;
        foreach (var address in _listed)
        {
            byte[] method = [.. new byte[36], .. Encoding.Unicode.GetBytes("dynamicClass\0" + _name + '\0')];
            BinaryPrimitives.WriteUInt64LittleEndian(method.AsSpan(8), Module);
            BinaryPrimitives.WriteUInt64LittleEndian(method.AsSpan(16), address - 1);
            BinaryPrimitives.WriteUInt32LittleEndian(method.AsSpan(24), 16);
            BinaryPrimitives.WriteInt32LittleEndian(method.AsSpan(28), address == Nameless ? 0x06000000 : s_method.MetadataToken);
            sink.OnEvent(EventKind.Method, 0, 0, [], method);
        }

        byte[] module = [.. new byte[24], .. Encoding.Unicode.GetBytes(typeof(CodeAddressesTests).Assembly.Location + '\0')];
        BinaryPrimitives.WriteUInt64LittleEndian(module, Module);
        sink.OnEvent(EventKind.Module, 0, 0, [], module);
    }

    private sealed class Clock : TimeProvider
    {
        private long _ticks = 1;

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => _ticks;

        public void Advance(TimeSpan by) => _ticks += by.Ticks;
    }
}
