using System.Reflection;
using System.Reflection.Emit;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Common;
using AsyncProbe.Tests.Blocking.Stacks;

namespace AsyncProbe.Tests.Blocking.Sites;

[Trait(Logic.Category, Logic.Name)]
public sealed class LockOwnerTests
{
    private static readonly MethodBase s_console =
        HandMadeStacks.Method(TextWriter.Synchronized(TextWriter.Null).GetType(), nameof(TextWriter.Write));

    private static readonly MethodBase s_enter = HandMadeStacks.Method(typeof(Monitor), nameof(Monitor.Enter));
    private static readonly MethodBase s_logger = HandMadeStacks.Method(
        Type.GetType("Microsoft.Extensions.Logging.Console.ConsoleLoggerProcessor, Microsoft.Extensions.Logging.Console")!, "WriteMessage");

    // When a logger wrote to the console, the advice was to call TextWriter less often instead of logging less.
    [Fact]
    public void ConsolesLock_IsTheLoggers_WhenALoggerWrites() =>
        Find(s_console, s_logger, HandMadeStacks.Own).ShouldBe(new LockOwner("Microsoft.Extensions.Logging.Console", IsLogger: true));

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void ConsolesLock_IsTheConsoles_WhenTheApplicationWrites(bool isLoggerOutside) =>
        Find(isLoggerOutside ? [s_console, HandMadeStacks.Own, s_logger] : [s_console, HandMadeStacks.Own])
            .ShouldBe(new LockOwner("TextWriter.SyncTextWriter", IsLogger: false) { IsRuntime = true });

    // One cold request waited for the array pool's lock for 36 ms, and the verdict was lockContention at a line that waits for a task.
    [Theory]
    [InlineData(2, 0)]
    [InlineData(3, 60)]
    public void RuntimesLock_DoesNotCount_WhereHardlyAnyColdRequestWaitedForIt(int waits, int countedMs)
    {
        var stack = new[] { s_console, HandMadeStacks.Own }.Select(method => new SiteFrame(HandMadeStacks.Frames.Get(method), 0)).ToArray();
        var site = new BlockingSite(WaitKind.Lock, stack[1], via: null, stack, allowed: null);
        for (var i = 0; i < waits; i++)
        {
            site.Add(20 * Duration.Millisecond, "GET /x", isCold: true);
        }

        var mine = EndpointSites.From([site])["GET /x"];

        (mine.InLocks, mine.RefinedLocks).ShouldBe((countedMs * Duration.Millisecond, countedMs > 0 ? 1 : 0));
    }

    // In optimised code, the console sink of Serilog was inlined into the list of sinks, which takes no lock.
    [Fact]
    public void Lock_IsOfCodeThatTheLibraryCalls_WhenTheLibrarysMethodTakesNone()
    {
        var sinks = typeof(Serilog.Log).Assembly.GetType("Serilog.Core.Sinks.SafeAggregateSink", throwOnError: true)!;
        var file = typeof(Serilog.FileLoggerConfigurationExtensions).Assembly.GetType("Serilog.Sinks.File.FileSink", throwOnError: true)!;
        var inList = HandMadeStacks.Method(sinks, "Emit");
        var inSink = HandMadeStacks.Method(file, "Emit");

        Find(s_enter, inList, HandMadeStacks.Own).ShouldBe(new LockOwner("code that Serilog calls", IsLogger: true));
        Find(s_enter, s_console, inList, HandMadeStacks.Own).ShouldBe(new LockOwner("code that Serilog calls", IsLogger: true));
        Find(s_enter, inSink, inList, HandMadeStacks.Own).ShouldBe(new LockOwner("Serilog.Sinks.File", IsLogger: true));
        Blamed(s_enter, inList).ShouldBe("code called by SafeAggregateSink.Emit");
        Blamed(s_enter, inSink, inList).ShouldBe("FileSink.Emit");
    }

    // A constructor takes the lock. It was inlined into code that a container makes at run time, and the container was named as the owner.
    [Fact]
    public void Lock_IsOfCodeThatTheLibraryCalls_WhenTheLibraryMadeTheCallerAtRunTime()
    {
        var library = HandMadeStacks.Method(typeof(Mono.Cecil.MetadataResolver), "Resolve");
        var made = new DynamicMethod("", typeof(object), [typeof(object)], typeof(object).Module);

        Find(s_enter, made, library, HandMadeStacks.Own).ShouldBe(new LockOwner("code that Mono.Cecil calls", IsLogger: false));
        Blamed(s_enter, made, library).ShouldBe("code called by MetadataResolver.Resolve");
    }

    private static string Blamed(params MethodBase[] stack) =>
        BlameFrame.Find(HandMadeStacks.Of(stack), HandMadeStacks.Frames, handler: null)!
            .ToSiteFrame(HandMadeStacks.Frames).Name;

    private static LockOwner? Find(params MethodBase[] stack) =>
        LockOwner.Find([.. stack.Select(method => new SiteFrame(HandMadeStacks.Frames.Get(method), 0))]);
}
