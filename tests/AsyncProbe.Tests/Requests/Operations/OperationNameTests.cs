using System.Globalization;
using System.Text;
using AsyncProbe.Requests.Operations;

namespace AsyncProbe.Tests.Requests.Operations;

/// <summary>No id gets into the table: otherwise it would neither stay bounded nor stay free of user data.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class OperationNameTests
{
    [Theory]
    [InlineData("Chat/Send", "Chat/Send")]
    [InlineData("Shop.Live.ChatHub/Send", "Shop.Live.ChatHub/Send")]
    [InlineData("orders-queue receive", "orders-queue receive")]
    [InlineData("OrderSubmittedConsumer process", "OrderSubmittedConsumer process")]
    [InlineData("Event onclick -> Counter.Increment", "Event onclick -> Counter.Increment")]
    [InlineData("/", "/")]
    [InlineData("~", "~")]
    [InlineData("a:b", "a:b")]
    [InlineData("ImportOfCustomersAndOrders", "ImportOfCustomersAndOrders")]
    [InlineData("refresh_price_feed", "refresh_price_feed")]
    [InlineData("@page render", "@page render")]
    [InlineData("Press@", "Press@")]
    [InlineData("wait 😀 done", "wait 😀 done")]
    [InlineData("прайс/обновить", "прайс/обновить")]
    public void Name_StaysAsItIs_WithoutAnId(string displayName, string name) => OperationName.From(displayName).ShouldBe(name);

    [Theory]
    [InlineData("order 4711", "order {…}")]
    [InlineData("order-4711", "order-{…}")]
    [InlineData("Job42Runner", "Job{…}Runner")]
    [InlineData("import 3f2504e0-4f89-11d3-9a0c-0305e82c3301", "import {…}")]
    [InlineData("import 3f2504e04f8911d39a0c0305e82c3301", "import {…}")]
    [InlineData("import_3f2504e04f8911d39a0c0305e82c3301", "{…}")]
    [InlineData("trace 00ab12ff00ab12ff", "trace {…}")]
    [InlineData("Circuit Xy7Qb2_kL9sTz4WmN1pRv8", "Circuit {…}")]
    [InlineData("GET /customers/jane", "GET {…}")]
    [InlineData("read C:\\data\\jane.txt", "read {…}")]
    [InlineData("fetch https://example.org/jane", "fetch {…}")]
    [InlineData("copy home/jane/x", "copy {…}")]
    [InlineData("copy ~/x", "copy {…}")]
    [InlineData("copy /x", "copy {…}")]
    [InlineData(@"copy \x", "copy {…}")]
    [InlineData(@"copy c:\", "copy {…}")]
    [InlineData("trace 0aaaaaaaaaaaaaaf", "trace {…}")]
    [InlineData("trace 0aaaaaaaaaaaaaag", "trace {…}aaaaaaaaaaaaaag")]
    [InlineData("trace 0AAAAAAAAAAAAAAF", "trace {…}")]
    [InlineData("Report2024OfCustomersAndTheirOrders", "Report{…}OfCustomersAndTheirOrders")]
    [InlineData("a1b2c3", "a{…}b{…}c{…}")]
    [InlineData("xYxYxYxYxYxYxY4z", "{…}")]
    [InlineData("x-x-x-x-x-x-x-x4", "{…}")]
    [InlineData("xxyyzz1122334455", "xxyyzz{…}")]
    [InlineData("mail to jane.doe@example.org", "mail to {…}")]
    [InlineData("mail jane+news@example.org;bob@example.org", "mail {…};{…}")]
    [InlineData("mailto:jane@example.org", "mailto:{…}")]
    [InlineData("send <j@x>", "send <{…}>")]
    [InlineData("send jane%40example.org", "send {…}")]
    [InlineData("send jane＠example.org", "send {…}")]
    [InlineData("queue/jane@example.org", "queue/{…}")]
    [InlineData("follow @jane@example.org", "follow {…}")]
    [InlineData("follow @jane%40example.org", "follow {…}")]
    [InlineData("jane%40", "jane%{…}")]
    [InlineData("%40jane", "%{…}jane")]
    [InlineData("1_2_3_4_5_6_7_8_9", "{…}")]
    [InlineData("A_B_C_D_E_F_G_H4", "{…}")]
    [InlineData("xx4xx4xx4xx4xxxxxxxx", "{…}")]
    [InlineData("xx4xx4xx4xxxxxxxxxx4", "xx{…}xx{…}xx{…}xxxxxxxxxx{…}")]
    [InlineData("", "{…}")]
    public void Ids_FallTogether(string displayName, string name) => OperationName.From(displayName).ShouldBe(name);

    [Fact]
    public void LongName_IsCut() => OperationName.From(string.Join(' ', Enumerable.Repeat("word", 1000))).Length.ShouldBeLessThan(150);

    [Theory]
    [InlineData("a.")]
    [InlineData("😀")]
    [InlineData("<a>")]
    [InlineData("a@b;")]
    [InlineData("a ")]
    public void LongWord_IsCut(string part) =>
        OperationName.From(string.Concat(Enumerable.Repeat(part, 100_000))).Length.ShouldBeInRange(100, 150);

    [Theory]
    [InlineData(120, " next")]
    [InlineData(120, ".b")]
    [InlineData(119, ";b;c")]
    public void LongName_IsCut_AsSoonAsItHasAllItsCharacters(int letters, string rest)
    {
        var word = new string('a', letters);

        OperationName.From(word + rest).ShouldBe((word + rest)[..120] + "…");
    }

    [Fact]
    public void ControlCharacters_ForgeNoLine() => OperationName.From("a\u001bb\nc").ShouldBe("a?b c");

    [Theory]
    [InlineData("a\u202Eb")]
    [InlineData("a\u2066b\u2069")]
    [InlineData("a\u200Bb")]
    [InlineData("a\uFEFFb")]
    [InlineData("a\U000E0041b")]
    [InlineData("a\uD800b")]
    [InlineData("a\u2028b")]
    public void InvisibleCharacters_TurnNothingAround(string displayName)
    {
        var name = OperationName.From(displayName);

        name.EnumerateRunes().ShouldAllBe(rune =>
            Rune.GetUnicodeCategory(rune) != UnicodeCategory.Format && Rune.GetUnicodeCategory(rune) != UnicodeCategory.LineSeparator);
        name.ShouldNotContain(c => char.IsSurrogate(c));
        name.ShouldStartWith("a");
    }
}
