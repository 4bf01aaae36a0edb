using AsyncProbe.Cli.Sessions.Import;

namespace AsyncProbe.Cli.Tests.Sessions.Import;

[Trait("Category", "Logic")]
public class PathTokensTests
{
    [Theory]
    [InlineData("https://x/hook/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln/go?a=1", "https://x/hook/{{secret}}/go?a=1")]
    [InlineData("https://x/services/T0A1B2C3D/B0E1F2G3H/aB3dE5gH7jK9mN1pQ3sT5vX7", "https://x/services/T0A1B2C3D/B0E1F2G3H/{{secret}}")]
    [InlineData("https://x/bot123456789:AAF-abcdefghijklmnopqrstuvwx/send", "https://x/{{secret}}/send")]
    [InlineData("https://x/a/0123456789abcdef0123456789abcdef01234567", "https://x/a/{{secret}}")]
    [InlineData("https://x/reset-token/s3cretvalue", "https://x/reset-token/{{secret}}")]
    [InlineData("/password/reset/k3jh4kj5", "/password/reset/{{secret}}")]
    [InlineData("/password/reset/k3jh4kj5?back=https://x/", "/password/reset/{{secret}}?back=https://x/")]
    public void Token_BecomesAPlaceholder(string url, string replaced) => PathTokens.Replace(url, _ => "{{secret}}").ShouldBe(replaced);

    [Theory]
    [InlineData("https://x")]
    [InlineData("https://x/")]
    [InlineData("https://x/orders/3f2504e0-4f89-11d3-9a0c-0305e82c3301")]
    [InlineData("https://x/orders/507f1f77bcf86cd799439011")]
    [InlineData("https://x/orders/12345678901234567890123")]
    [InlineData("https://x/GetOrdersOfCustomerSince2024/all-orders-of-2024-in-one-list")]
    [InlineData("https://x/token/refresh")]
    [InlineData("https://x/tokens/12345678")]
    [InlineData("https://x/{{id}}/a?b=c")]
    public void Id_StaysAsItIs(string url) => PathTokens.Replace(url, _ => "{{secret}}").ShouldBe(url);
}
