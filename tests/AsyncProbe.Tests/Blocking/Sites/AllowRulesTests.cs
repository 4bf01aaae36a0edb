using AsyncProbe.Blocking.Sites;

namespace AsyncProbe.Tests.Blocking.Sites;

[Trait(Logic.Category, Logic.Name)]
public sealed class AllowRulesTests
{
    [Theory]
    [InlineData("Shop.Legacy.Orders.Load", "old driver")]
    [InlineData("Shop.Legacy.", "old driver")]
    [InlineData("Shop.Legacy", null)]
    [InlineData("shop.legacy.orders.Load", null)]
    [InlineData("Other.Shop.Legacy.Orders.Load", null)]
    public void Rule_AllowsWhatBeginsWithItsMethod(string method, string? reason) =>
        Rules(("Shop.Legacy.", "old driver")).ReasonFor(method).ShouldBe(reason);

    [Fact]
    public void FirstRuleThatMatches_GivesTheReason() =>
        Rules(("Shop.", "first"), ("Shop.Legacy.", "second")).ReasonFor("Shop.Legacy.Load").ShouldBe("first");

    [Fact]
    public void Rule_IsStale_UntilItMatches()
    {
        var rules = Rules(("Shop.", "a"), ("Shop.Legacy.", "b"), ("Gone.", "c"));
        rules.Stale.ShouldBe(["Shop.", "Shop.Legacy.", "Gone."]);

        rules.ReasonFor("Shop.Legacy.Load");

        rules.Stale.ShouldBe(["Gone."], "every rule that matches is in use, not only the one that gives the reason");
    }

    [Fact]
    public void NoRule_AllowsNothing() => Rules().ReasonFor("Shop.Load").ShouldBeNull();

    private static AllowRules Rules(params (string Method, string Reason)[] rules) =>
        new(rules.Select(r => new AllowRule { MethodPrefix = r.Method, Reason = r.Reason }));
}
