using AsyncProbe.Wiring;

namespace AsyncProbe.Tests.Options;

/// <summary>The bounds in each option's docs: both ends are accepted, and values just beyond are refused with a sentence.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class OptionBoundsTests
{
    // Booleans, an open list, or options that are checked separately below.
    private static readonly string[] s_unbounded =
    [
        nameof(AsyncProbeOptions.Enabled), nameof(AsyncProbeOptions.EmitHeaders), nameof(AsyncProbeOptions.IncludeStacks),
        nameof(AsyncProbeOptions.AllowLocal),
        nameof(AsyncProbeOptions.AllowRemote), nameof(AsyncProbeOptions.AllowSnapshotRequests), nameof(AsyncProbeOptions.Detection),
        nameof(AsyncProbeOptions.UserAssemblies), nameof(AsyncProbeOptions.ActivitySources), nameof(AsyncProbeOptions.Allow),
    ];

    private static readonly Bounds[] s_bounds =
    [
        Of(
            nameof(AsyncProbeOptions.MinimumBlocked), TimeSpan.FromMilliseconds(0.1), TimeSpan.FromMinutes(1),
            (o, v) => o.MinimumBlocked = v),
        Of(
            nameof(AsyncProbeOptions.QueueingThreshold), TimeSpan.FromMilliseconds(1), TimeSpan.FromMinutes(1),
            (o, v) => (o.QueueingThreshold, o.StarvedThreshold) = (v, TimeSpan.FromMinutes(10))),
        Of(
            nameof(AsyncProbeOptions.StarvedThreshold), TimeSpan.FromMilliseconds(1), TimeSpan.FromMinutes(10),
            (o, v) => (o.QueueingThreshold, o.StarvedThreshold) = (TimeSpan.FromMilliseconds(1), v)),
        Of(nameof(AsyncProbeOptions.History), TimeSpan.FromSeconds(10), TimeSpan.FromHours(24), (o, v) => o.History = v),
        Of(nameof(AsyncProbeOptions.MaxEndpoints), 1, 100_000, (o, v) => o.MaxEndpoints = v),
        Of(nameof(AsyncProbeOptions.MaxOperations), 1, 100_000, (o, v) => o.MaxOperations = v),
        Of(nameof(AsyncProbeOptions.MaxSites), 1, 100_000, (o, v) => o.MaxSites = v),
        Of(nameof(AsyncProbeOptions.MaxStackNodes), 100, 100_000, (o, v) => o.MaxStackNodes = v),
        Of(nameof(AsyncProbeOptions.MaxWarningsPerHour), 0, 10_000, (o, v) => o.MaxWarningsPerHour = v),
        Of(nameof(AsyncProbeOptions.ManagementPort), 1, 65_535, (o, v) => o.ManagementPort = v),
        Of(nameof(AsyncProbeOptions.LifelinePort), 1, 65_535, (o, v) => o.LifelinePort = v),
        new(
            nameof(AsyncProbeOptions.SampleRate), [o => o.SampleRate = double.Epsilon, o => o.SampleRate = 1],
            [o => o.SampleRate = 0, o => o.SampleRate = 1.0001, o => o.SampleRate = double.NaN, o => o.SampleRate = -1]),
    ];

    public static TheoryData<string> Names => [.. s_bounds.Select(b => b.Option)];

    [Fact]
    public void EveryOption_HasItsBoundsHere_OrNone() =>
        typeof(AsyncProbeOptions).GetProperties().Select(p => p.Name)
            .ShouldBe(s_bounds.Select(b => b.Option).Concat(s_unbounded), ignoreOrder: true);

    [Theory]
    [MemberData(nameof(Names))]
    public void Option_TakesBothEnds(string option)
    {
        foreach (var set in s_bounds.Single(b => b.Option == option).Within)
        {
            Validate(set).ShouldBeEmpty();
        }
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Option_IsRefusedWithASentence_JustBeyondEachEnd(string option)
    {
        foreach (var set in s_bounds.Single(b => b.Option == option).Beyond)
        {
            Validate(set)
                .Where(
                    error => error.StartsWith($"AsyncProbe:{option} is ", StringComparison.Ordinal)
                        && error.Contains(" Set it ", StringComparison.Ordinal))
                .ShouldHaveSingleItem();
        }
    }

    [Fact]
    [Trait(Logic.Category, ApprovedTexts.Category)]
    public void Errors_AreApproved()
    {
        var texts = new ApprovedTexts("AsyncProbe.Tests/Options/Errors");
        foreach (var bounds in s_bounds)
        {
            texts.Add(bounds.Option, string.Join('\n', bounds.Beyond.SelectMany(Validate).Distinct()));
        }

        Add("StarvedThreshold below QueueingThreshold", o => o.StarvedThreshold = o.QueueingThreshold / 2);
        Add("both ports", o => (o.ManagementPort, o.LifelinePort) = (5001, 5001));
        Add("UserAssemblies", o => o.UserAssemblies.Add("Shop.dll"));
        Add("ActivitySources", o => o.ActivitySources.Add("*.Shop"));
        Add("Detection", o => o.Detection = (BlockingDetection)7);
        Add("Allow, empty", o => o.Allow.Add(null!));
        Add("Allow without a method", o => o.Allow.Add(new AllowRule { Reason = "known" }));
        Add("Allow without a reason", o => o.Allow.Add(new AllowRule { MethodPrefix = "Shop." }));
        texts.ShouldBeApproved();

        void Add(string name, Action<AsyncProbeOptions> set) => texts.Add(name, string.Join('\n', Validate(set)));
    }

    [Fact]
    public void EverythingWrong_IsSaidAtOnce() =>
        Validate(o => (o.MaxSites, o.MaxEndpoints, o.SampleRate) = (0, 0, 0)).Count.ShouldBe(3);

    [Fact]
    public void Thresholds_AreRefused_WhenStarvedComesBeforeQueueing() =>
        Validate(o => (o.QueueingThreshold, o.StarvedThreshold) = (TimeSpan.FromMilliseconds(50), TimeSpan.FromMilliseconds(10)))
            .ShouldHaveSingleItem().ShouldContain("below QueueingThreshold");

    [Fact]
    public void Ports_AreRefused_WhenTheyAreOne() =>
        Validate(o => (o.ManagementPort, o.LifelinePort) = (5001, 5001)).ShouldHaveSingleItem().ShouldContain("are both 5001");

    [Theory]
    [InlineData("")]
    [InlineData(" ")]
    [InlineData("Shop.dll")]
    public void UserAssembly_IsRefused_WhenItCannotBeAName(string name) =>
        Validate(o => o.UserAssemblies.Add(name)).ShouldHaveSingleItem().ShouldContain($"AsyncProbe:UserAssemblies:0 is '{name}'");

    [Fact]
    public void Detection_IsRefused_WhenItIsNone() =>
        Validate(o => o.Detection = (BlockingDetection)7).ShouldHaveSingleItem()
            .ShouldContain("AsyncProbe:Detection is 7.");

    [Fact]
    public void AllowRule_IsRefused_WithoutMethodOrReason()
    {
        Validate(o => o.Allow.Add(null!)).ShouldHaveSingleItem().ShouldContain("AsyncProbe:Allow:0");
        Validate(o => o.Allow.Add(new AllowRule { MethodPrefix = "Shop." })).ShouldHaveSingleItem()
            .ShouldContain("a rule without a reason");
    }

    private static List<string> Validate(Action<AsyncProbeOptions> set)
    {
        var options = new AsyncProbeOptions();
        set(options);
        return [.. new AsyncProbeOptionsValidator().Validate(null, options).Failures ?? []];
    }

    private static Bounds Of(string option, TimeSpan low, TimeSpan high, Action<AsyncProbeOptions, TimeSpan> set) =>
        new(
            option, [o => set(o, low), o => set(o, high)],
            [o => set(o, low - TimeSpan.FromTicks(1)), o => set(o, high + TimeSpan.FromTicks(1)), o => set(o, TimeSpan.MinValue)]);

    private static Bounds Of(string option, int low, int high, Action<AsyncProbeOptions, int> set) =>
        new(option, [o => set(o, low), o => set(o, high)], [o => set(o, low - 1), o => set(o, high + 1), o => set(o, int.MinValue)]);

    private sealed record Bounds(string Option, Action<AsyncProbeOptions>[] Within, Action<AsyncProbeOptions>[] Beyond);
}
