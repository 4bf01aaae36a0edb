using System.Reflection;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Tests.Blocking.Stacks;

namespace AsyncProbe.Tests.Blocking.Sites;

[Trait(Logic.Category, Logic.Name)]
public sealed class LockOwnerTests
{
    private static readonly MethodBase s_console =
        HandMadeStacks.Method(TextWriter.Synchronized(TextWriter.Null).GetType(), nameof(TextWriter.Write));

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
            .ShouldBe(new LockOwner("TextWriter.SyncTextWriter", IsLogger: false));

    private static LockOwner? Find(params MethodBase[] stack) =>
        LockOwner.Find([.. stack.Select(method => new SiteFrame(HandMadeStacks.Frames.Get(method), 0))]);
}
