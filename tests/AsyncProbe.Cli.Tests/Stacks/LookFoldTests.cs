using System.Diagnostics;
using System.Reflection;
using System.Runtime.InteropServices;
using AsyncProbe.Cli.Processes;
using AsyncProbe.Cli.Stacks;
using AsyncProbe.StackSnapshots.Methods;
using AsyncProbe.StackSnapshots.Trace;

namespace AsyncProbe.Cli.Tests.Stacks;

[Trait("Category", "Logic")]
public class LookFoldTests
{
    private const int Thread = 7;
    private const ulong CoreModule = 1;
    private const ulong ShopModule = 2;
    private static readonly byte[] s_outsideManagedCode = [1, 0, 0, 0];
    private static readonly CodePlace[] s_firstUse =
    [
        new(CoreModule, 1, 0, false, "System.Runtime.CompilerServices.InitHelpers", "InitClassSlow"),
        new(ShopModule, 2, 0, false, "Shop.Pages", "Get"),
        new(CoreModule, 3, 0, false, "System.Threading.ThreadPoolWorkQueue", "Dispatch"),
    ];

    /// <summary>A thread that initializes a type has the same stack as a thread that waits for the type.</summary>
    [Theory]
    [InlineData(100, 0)]
    [InlineData(50, 50)]
    [InlineData(0, 100)]
    public void TypesFirstUse_IsALock_OnlyWhileTheThreadIsIdle(int runnableMs, int blockedMs)
    {
        var lines = Fold(s_firstUse, TimeSpan.FromMilliseconds(runnableMs));

        lines.Sum(line => line.BlockedMs).ShouldBe(blockedMs);
        lines.ShouldAllBe(line => line.Kind == "Lock" && line.At == "Pages.Get");
    }

    [Fact]
    public void StaticConstructor_IsNotBlocked_WhileItsNativeCodeRuns()
    {
        CodePlace constructor = new(CoreModule, 4, 0, false, "System.Text.Json.JsonSerializerOptions", ".cctor");

        Fold([constructor, .. s_firstUse], TimeSpan.FromMilliseconds(100)).ShouldBeEmpty();
    }

    [Fact]
    public void TypesFirstUse_IsNotBlocked_WhenNoClockShowsWhetherTheThreadRuns() => Fold(s_firstUse, runnable: null).ShouldBeEmpty();

    // The runtime names a native call's stub like a compiled delegate.
    [Fact]
    public void NativeCall_IsSeenBeneathItsStub()
    {
        var line = Fold(
            [
                new(0, 0x06000000, 0, true, "dynamicClass", "IL_STUB_PInvoke"), new(CoreModule, 5, 0, false, "System.IO.RandomAccess", "ReadAtOffset"),
                .. s_firstUse[1..],
            ],
            TimeSpan.Zero).ShouldHaveSingleItem();

        (line.At, line.Kind).ShouldBe(("Pages.Get", "SyncIO"));
    }

    // Optimised code inlines an endpoint into the middleware before it, of which only the call of the next delegate is left.
    [Theory]
    [InlineData(nameof(PassesOn), false)]
    [InlineData(nameof(Sleeps), true)]
    public void Line_IsUnknown_WhenItsDelegateWasInlined(string method, bool hasLine)
    {
        var module = typeof(LookFoldTests).Assembly.Location;
        var token = typeof(LookFoldTests).GetMethod(method, BindingFlags.Static | BindingFlags.NonPublic)!.MetadataToken;

        var lines = Fold(
            [
                new(CoreModule, 5, 0, false, "System.Threading.Thread", "Sleep"), new(ShopModule, token, 1, false, "Shop.Pages", method),
                s_firstUse[^1],
            ],
            TimeSpan.Zero, module);

        var line = lines.ShouldHaveSingleItem();
        line.At.ShouldStartWith($"Pages.{method}");
        (line.Kind, line.Line is not null).ShouldBe(("Sleep", hasLine));
    }

    private static void PassesOn(Action next) => next();

    private static void Sleeps() => System.Threading.Thread.Sleep(0);

    private static IReadOnlyList<BlockedLine> Fold(CodePlace[] stack, TimeSpan? runnable, string module = "Shop.dll")
    {
        ulong[] addresses = [.. stack.Select((_, i) => (ulong)i + 1)];
        var search = new MethodSearch(addresses) { ModulePaths = { [ShopModule] = module } };
        foreach (var (place, address) in stack.Zip(addresses))
        {
            search.Found[address] = place;
        }

        var window = new SampledWindow();
        for (var i = 0; i <= 1; i++)
        {
            var time = 1 + (i * Stopwatch.Frequency / 10);
            window.OnEvent(EventKind.ThreadSample, Thread, time, MemoryMarshal.AsBytes<ulong>(addresses), s_outsideManagedCode);
        }

        window.Threads[Thread].Runnable = runnable;
        var process = new DotnetProcess
        {
            Entry = new() { Pid = 1, OwnPid = 1, StartTime = "0" },
            Runtime = new(1, "/no/such/socket"),
            Info = new() { Name = Path.GetFileNameWithoutExtension(module), RuntimeVersion = "10.0.0", Architecture = "x64" },
        };
        using var modules = new RemoteModules(process, search.ModulePaths.Values);
        return new LookFold(modules, search).Fold([window]).Lines;
    }
}
