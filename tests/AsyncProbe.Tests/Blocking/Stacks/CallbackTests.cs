using System.Reflection;
using System.Reflection.Emit;
using System.Text.Json;
using AsyncProbe.Blocking.Code;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Places;
using AsyncProbe.Blocking.Stacks;
using static AsyncProbe.Tests.Blocking.Stacks.HandMadeStacks;

namespace AsyncProbe.Tests.Blocking.Stacks;

/// <summary>Stacks of optimised code, where the application's code that a library called was inlined into the library's method.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class CallbackTests
{
    private static readonly MethodBase s_sleep = Method(typeof(Thread), nameof(Thread.Sleep));
    private static readonly MethodBase s_dapper = Method(typeof(Dapper.SqlMapper), nameof(Dapper.SqlMapper.PurgeQueryCache));

    // The loop's body was inlined into the loop, on a thread that shows nothing else of the application.
    [Fact]
    public void Place_IsTheBodyOfTheLoop_WhenItVanishedIntoParallel()
    {
        var worker = typeof(Parallel).GetNestedTypes(BindingFlags.NonPublic)
            .SelectMany(type => type.GetMethods(BindingFlags.NonPublic | BindingFlags.Instance))
            .First(method => method.Name.StartsWith("<ForWorker>", StringComparison.Ordinal));

        var place = Sampled(Method(typeof(Thread), nameof(Thread.Join)), worker).ToSiteFrame(HandMadeStacks.Frames);

        place.Frame.MethodName.ShouldContain(nameof(Callers.Loop));
        place.Name.ShouldBe(place.Frame.ShortName);
    }

    [Fact]
    public void Place_IsCodeThatTheLibraryCalls_WhenNobodyCanTellWhich()
    {
        var place = Sampled(Method(typeof(SemaphoreSlim), "Wait"), Method(typeof(Parallel), "ForWorker"))
            .ToSiteFrame(HandMadeStacks.Frames);

        place.Text.ShouldBe("code called by Parallel.ForWorker");
    }

    // The factory of a cache was inlined into the cache's method, and the stack shows only the statement that calls the cache.
    [Fact]
    public void Place_IsInTheDelegate_WhenTheLibraryThatGotItDoesNotWaitItself()
    {
        var blame = Sampled(s_sleep, s_dapper, Method(typeof(Callers), nameof(Callers.Passes)));

        var place = blame.ToSiteFrame(HandMadeStacks.Frames);

        place.Frame.MethodName.ShouldContain($"<{nameof(Callers.Passes)}>");
        place.WaitsItself.ShouldBeTrue();
    }

    // A loop waits for its other threads. It sleeps only in its body.
    [Fact]
    public void Kind_IsSleep_WhenTheBodyOfALoopSleeps() =>
        Sampled(s_sleep, Method(typeof(Parallel), "ForWorker"), Own).Kind.ShouldBe(WaitKind.Sleep);

    // A cache waits for its factory in some cases, and runs it in place in others.
    [Theory]
    [InlineData(nameof(Callers.Passes), $"<{nameof(Callers.Passes)}>")]
    [InlineData(nameof(Callers.Validates), nameof(Callers.Validates))]
    public void Place_IsInTheDelegateThatTheStatementPasses_EvenIfTheLibraryMayWaitItself(string method, string expected)
    {
        var frames = HandMadeStacks.Frames;
        var caller = Method(typeof(Callers), method);

        var place = new SiteFrame(frames.Get(caller), 1, frames.Get(s_dapper), frames)
        {
            Callback = new InlinedCallback(frames.Get(s_dapper), frames.Get(s_sleep), MayWaitItself: true),
        };

        place.Frame.MethodName.ShouldStartWith(expected);
    }

    // One statement passes the condition to LINQ, and another one, which enumerates, runs it.
    [Fact]
    public void Place_IsInTheDelegateOfTheMethod_WhenAnotherStatementPassedIt()
    {
        var frames = HandMadeStacks.Frames;
        var caller = Method(typeof(Callers), nameof(Callers.Filters));
        var next = MethodCode.Get(caller).Calls.Single(call => call.Target.Name == "MoveNext").Offset;
        var where = frames.Get(Method(typeof(Enumerable), nameof(Enumerable.Where)));

        var place = new SiteFrame(frames.Get(caller), next, where, frames)
        {
            Callback = new InlinedCallback(where, frames.Get(s_sleep), MayWaitItself: false),
        };

        place.Frame.MethodName.ShouldContain($"<{nameof(Callers.Filters)}>");
    }

    // A validator's rule, which is made in the constructor. The stack shows only the statement that validates.
    [Fact]
    public void Place_IsInTheOnlyDelegateThatWaits_WhenItWasMadeElsewhere()
    {
        var join = Method(typeof(Thread), nameof(Thread.Join));

        var place = Sampled(join, s_dapper, Method(typeof(Callers), nameof(Callers.Validates))).ToSiteFrame(HandMadeStacks.Frames);

        place.Frame.MethodName.ShouldContain($"<{nameof(Callers.Rules)}>");
    }

    [Fact]
    public void Place_IsTheGetter_WhenASerializerReadsIt()
    {
        var property = typeof(JsonSerializer).Assembly.GetType("System.Text.Json.Serialization.Metadata.JsonPropertyInfo`1")!;

        var place = Sampled(Method(typeof(SemaphoreSlim), nameof(SemaphoreSlim.Wait)), Method(property, "GetMemberAndWriteJson"))
            .ToSiteFrame(HandMadeStacks.Frames);

        place.Frame.MethodName.ShouldBe("get_" + nameof(Model.Waits));
    }

    // Newtonsoft reads properties through code that it generates. It was named, with the advice to await there.
    [Fact]
    public void Place_IsTheGetter_WhenGeneratedCodeReadsItForASerializer()
    {
        var generated = new DynamicMethod("read", typeof(bool), [typeof(object)]);
        var property = typeof(JsonSerializer).Assembly.GetType("System.Text.Json.Serialization.Metadata.JsonPropertyInfo`1")!;

        var place = Sampled(
            Method(typeof(SemaphoreSlim), nameof(SemaphoreSlim.Wait)), generated, Method(property, "GetMemberAndWriteJson"))
            .ToSiteFrame(HandMadeStacks.Frames);

        place.Frame.MethodName.ShouldBe("get_" + nameof(Model.Waits));
    }

    // The code of an iterator was inlined into the loop that enumerates it.
    [Fact]
    public void Place_IsInTheIterator_WhenTheLoopEnumeratesIt()
    {
        var frames = HandMadeStacks.Frames;
        var caller = Method(typeof(Callers), nameof(Callers.Enumerates));
        var next = MethodCode.Get(caller).Calls.Single(call => call.Target.Name == "MoveNext").Offset;

        var place = new SiteFrame(frames.Get(caller), next, frames.Get(s_sleep), frames);

        place.Frame.ShortName.ShouldContain("Items");
    }

    private static BlameFrame Sampled(params MethodBase[] methods) =>
        BlameFrame.Find(
            [.. methods.Select(m => new SampledFrame { Method = m, IlOffset = 1 })], HandMadeStacks.Frames, handler: null)
            .ShouldNotBeNull();

    private sealed class Model(SemaphoreSlim slot)
    {
        public bool Waits => slot.Wait(0);
    }

    private static class Callers
    {
        public static object Passes() => Lazily(() => Thread.Sleep(0));

        public static void Loop(Thread other) => Parallel.For(0, 2, _ => other.Join());

        public static Action<Thread> Rules()
        {
            Dapper.SqlMapper.PurgeQueryCache();
            return thread => thread.Join();
        }

        public static void Validates() => Dapper.SqlMapper.PurgeQueryCache();

        public static int Enumerates()
        {
            var sum = 0;
            foreach (var item in Items())
            {
                sum += item;
            }

            return sum;
        }

        public static int Filters(List<int> items)
        {
            var sum = 0;
            foreach (var item in items.Where(
                item =>
                {
                    Thread.Sleep(0);
                    return item > 0;
                }))
            {
                sum += item;
            }

            return sum;
        }

        private static IEnumerable<int> Items()
        {
            Thread.Sleep(0);
            yield return 1;
        }

        private static Action Lazily(Action wait) => wait;
    }
}
