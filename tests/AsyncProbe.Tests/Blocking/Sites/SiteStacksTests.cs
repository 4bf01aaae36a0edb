using System.Diagnostics;
using System.Runtime.CompilerServices;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Common;

namespace AsyncProbe.Tests.Blocking.Sites;

public sealed class SiteStacksTests
{
    private const string Endpoint = "GET /x";
    private static readonly Frames s_frames = new(UserCode.Create([typeof(SiteStacksTests).Assembly.GetName().Name!]));
    private readonly BlockingSites _sites = new(10, new AllowRules([])) { KeepsStacks = true };

    [Fact]
    public void Stacks_ShareWhatNobodyTimed_AsTheyShareWhatWasSeen()
    {
        var site = Site();
        site.AddFromWindow(Ms(30), Endpoint, Keep(site, One()));
        site.AddFromWindow(Ms(10), Endpoint, Keep(site, Two()));
        site.AddShare(Ms(77), Endpoint);

        var stacks = Stacks(site);

        stacks.Count.ShouldBe(2);
        stacks.Single(s => Names(s).Contains(nameof(One))).Blocked.TotalMilliseconds.ShouldBe(117 * 0.75, 0.001);
        Sum(stacks).ShouldBe(site.Total);
    }

    [Fact]
    public void Stack_IsOne_WhereTheOwnFramesAreTheSame()
    {
        var site = Site();
        for (var i = 0; i < 3; i++)
        {
            site.Add(Ms(10), Endpoint, Keep(site, One()));
        }

        Stacks(site).ShouldHaveSingleItem().Blocked.ShouldBe(Ms(30));
    }

    [Fact]
    public void Stacks_BeyondTheBound_HaveTheirTimeAtThePlaceAlone()
    {
        var site = Site();
        var own = s_frames.Get(new StackFrame())!;
        for (var i = 0; i < SiteStacks.Most + 5; i++)
        {
            SampledFrame[] stack = [new() { Method = own.Method!, IlOffset = i }];
            site.AddFromSnapshot(isNew: true, Ms(10), Ms(10), Endpoint, _sites.Keep(site, Endpoint, stack, s_frames));
        }

        var stacks = Stacks(site);

        stacks.Count.ShouldBe(SiteStacks.Most + 1);
        stacks.Max(s => s.Blocked).ShouldBe(Ms(50));
        Sum(stacks).ShouldBe(site.Total);
    }

    [Fact]
    public void Stacks_AreNotKept_WhereNobodyMaySeeThem()
    {
        var sites = new BlockingSites(10, new AllowRules([]));
        var site = Site();

        sites.Keep(site, Endpoint, One(), s_frames).ShouldBeNull();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static StackTrace One() => new();

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static StackTrace Two() => new();

    private static Duration Ms(int milliseconds) => Duration.FromMilliseconds(milliseconds);

    private static IEnumerable<string> Names((IReadOnlyList<SiteFrame> Frames, Duration Blocked) stack) =>
        stack.Frames.Select(f => f.Frame.MethodName);

    private static Duration Sum(IEnumerable<(IReadOnlyList<SiteFrame> Frames, Duration Blocked)> stacks) =>
        stacks.Aggregate(Duration.Zero, (sum, stack) => sum + stack.Blocked);

    private static IReadOnlyList<(IReadOnlyList<SiteFrame> Frames, Duration Blocked)> Stacks(BlockingSite site) =>
        site.StacksOf(Endpoint, site.Find(Endpoint)!);

    private SiteStack? Keep(BlockingSite site, StackTrace stack) => _sites.Keep(site, Endpoint, stack, s_frames);

    private BlockingSite Site() =>
        _sites.GetOrAdd(new BlameFrame(WaitKind.Sleep, s_frames.Get(new StackFrame())!, 0, null), null, new StackTrace(), s_frames);
}
