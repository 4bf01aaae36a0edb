using System.Net;
using AsyncProbe.Reporting.Access;
using AsyncProbe.Tests.Reporting.Http;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.FileProviders;
using Microsoft.Extensions.Hosting;
using MsOptions = Microsoft.Extensions.Options.Options;

namespace AsyncProbe.Tests.Reporting.Access;

/// <summary>
/// Which callers are answered. This tests the rule itself, because a test can't call from a remote address. <see cref="ExposedAppTests"/>
/// and <see cref="AllowLocalTests"/> test what reaches it over real connections.
/// </summary>
public sealed class ReportAccessTests
{
    private static readonly AsyncProbeOptions s_local = new() { AllowLocal = true };

    [Theory]
    [InlineData("127.0.0.1")]
    [InlineData("::1")]
    [InlineData("10.1.2.3")]
    [InlineData(null)]
    public void Production_AnswersNobody_UntilTheAppSaysWhom(string? address) => Allows(Context(address, "localhost")).ShouldBeFalse();

    [Theory]
    [InlineData("127.0.0.1", "localhost", true)]
    [InlineData("::1", "[::1]:5080", true)]
    [InlineData("::ffff:127.0.0.1", "127.0.0.1:5080", true)]
    [InlineData("127.0.0.1", "[::ffff:127.0.0.1]", true)]
    [InlineData(null, "localhost", false)]
    [InlineData("10.1.2.3", "localhost", false)]
    [InlineData("::ffff:10.1.2.3", "localhost", false)]
    [InlineData("127.0.0.1", "evil.example", false)]
    [InlineData("127.0.0.1", "localhost.evil.example", false)]
    [InlineData("127.0.0.1", "127.0.0.1.evil.example", false)]
    [InlineData("127.0.0.1", "", false)]
    public void AllowLocal_AnswersLoopbackCallersUnderALoopbackName(string? address, string host, bool isAnswered) =>
        Allows(Context(address, host), s_local).ShouldBe(isAnswered);

    [Theory]
    [InlineData("Forwarded", "for=127.0.0.1")]
    [InlineData("X-Forwarded-For", "127.0.0.1")]
    [InlineData("x-forwarded-proto", "https")]
    [InlineData("X-Forwarded-Anything", "")]
    [InlineData("X-Original-For", "10.1.2.3:5000")]
    [InlineData("X-Original-Host", "localhost")]
    [InlineData("X-Real-IP", "127.0.0.1")]
    [InlineData("Via", "1.1 proxy")]
    [InlineData("CF-Connecting-IP", "203.0.113.7")]
    [InlineData("True-Client-IP", "203.0.113.7")]
    [InlineData("x-client-ip", "203.0.113.7")]
    [InlineData("X-Cluster-Client-IP", "203.0.113.7")]
    [InlineData("X-Envoy-External-Address", "203.0.113.7")]
    [InlineData("X-ARR-LOG-ID", "5f3e")]
    public void AllowLocal_RefusesACallerThroughAProxy_ThatLeavesAMark(string header, string value)
    {
        var context = Context("127.0.0.1", "localhost");
        context.Request.Headers[header] = value;

        Allows(context, s_local).ShouldBeFalse();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void AllowRemote_AnswersEverybody(bool isAllowed) =>
        Allows(Context("10.1.2.3", "shop.example"), new AsyncProbeOptions { AllowRemote = isAllowed }).ShouldBe(isAllowed);

    [Theory]
    [InlineData(9000, true)]
    [InlineData(80, false)]
    [InlineData(0, false)]
    public void ManagementPort_AnswersCallersOfThatPortAlone(int port, bool isAnswered)
    {
        var context = Context("10.1.2.3", "shop.example");
        context.Connection.LocalPort = port;

        Allows(context, new AsyncProbeOptions { ManagementPort = 9000 }).ShouldBe(isAnswered);
    }

    [Theory]
    [InlineData("evil.example", false)]
    [InlineData("localhost.evil.example", false)]
    [InlineData("127.0.0.1.evil.example", false)]
    [InlineData("evillocalhost", false)]
    [InlineData("", false)]
    [InlineData("localhost:5080", true)]
    [InlineData("shop.dev.localhost:5080", true)]
    [InlineData("127.0.0.1:5080", true)]
    [InlineData("[::1]:5080", true)]
    [InlineData("192.0.2.7", true)]
    public void Host_IsANameOfThisMachine_InDevelopmentAndOnAManagementPortOnLoopback(string host, bool isAnswered)
    {
        var context = Context("127.0.0.1", host);
        Allows(context, environment: "Development").ShouldBe(isAnswered);

        context.Connection.LocalPort = 9000;
        context.Connection.LocalIpAddress = IPAddress.IPv6Loopback;
        Allows(context, new AsyncProbeOptions { ManagementPort = 9000 }).ShouldBe(isAnswered);
    }

    [Fact]
    public void Host_MayBeTheMachinesName_OrAnyNameWhereEverybodyIsAllowed()
    {
        Allows(Context("10.1.2.3", Environment.MachineName + ":5080"), environment: "Development").ShouldBeTrue();
        Allows(Context("10.1.2.3", "shop.example"), new AsyncProbeOptions { AllowRemote = true }, "Development").ShouldBeTrue();
    }

    [Fact]
    public void Host_IsTheOneThatTheBrowserSent_WhereForwardedHeadersReplacedIt()
    {
        var context = Context("127.0.0.1", "localhost");
        context.Request.Headers["X-Original-Host"] = "evil.example:5080";

        Allows(context, environment: "Development").ShouldBeFalse();
    }

    [Fact]
    public void ManagementPort_OnLoopback_RefusesAPageOfAnotherOrigin()
    {
        var context = Context("127.0.0.1", "localhost");
        context.Connection.LocalPort = 9000;
        context.Connection.LocalIpAddress = IPAddress.Loopback;
        context.Request.Headers.Origin = "http://evil.example";

        Allows(context, new AsyncProbeOptions { ManagementPort = 9000 }).ShouldBeFalse();
    }

    [Fact]
    public void Authorization_DoesNotCount_WhereItsMiddlewareHasNotRun() =>
        Allows(Context("127.0.0.1", "localhost", new AuthorizeAttribute())).ShouldBeFalse();

    [Theory]
    [InlineData("Origin", "http://evil.example", false)]
    [InlineData("Origin", "http://localhost", true)]
    [InlineData("Origin", "null", false)]
    [InlineData("Sec-Fetch-Site", "cross-site", false)]
    [InlineData("Sec-Fetch-Site", "same-site", false)]
    [InlineData("Sec-Fetch-Site", "same-origin", true)]
    [InlineData("Sec-Fetch-Site", "none", true)]
    public void Post_IsRefusedFromAnotherOrigin_EvenInDevelopment(string header, string value, bool isAnswered)
    {
        var context = Context("127.0.0.1", "localhost");
        context.Request.Method = "POST";
        context.Request.Headers[header] = value;

        Allows(context, environment: "Development").ShouldBe(isAnswered);
    }

    [Theory]
    [InlineData("Origin", "http://evil.example", false)]
    [InlineData("Origin", "http://localhost", true)]
    [InlineData("Sec-Fetch-Site", "cross-site", true)]
    public void Get_IsRefusedToAnotherOriginsScript_AndNotToALink(string header, string value, bool isAnswered)
    {
        var context = Context("127.0.0.1", "localhost");
        context.Request.Headers[header] = value;

        Allows(context, s_local).ShouldBe(isAnswered);
        Allows(context, environment: "Development").ShouldBe(isAnswered);
    }

    [Theory]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public void Post_IsRefusedFromAnotherOrigin_WhoeverElseIsAnswered(bool allowRemote, bool allowLocal)
    {
        var context = Context("127.0.0.1", "localhost");
        context.Request.Method = "POST";
        context.Request.Headers.Origin = "http://evil.example";

        Allows(context, new AsyncProbeOptions { AllowRemote = allowRemote, AllowLocal = allowLocal }).ShouldBeFalse();
    }

    [Fact]
    public void Development_AnswersCallersFromAnywhere() => Allows(Context("10.1.2.3", "192.0.2.7"), environment: "Development").ShouldBeTrue();

    private static bool Allows(HttpContext context, AsyncProbeOptions? options = null, string environment = "Production") =>
        new ReportAccess(new Named(environment), MsOptions.Create(options ?? new AsyncProbeOptions()), new LocalCaller()).Allows(context);

    private static DefaultHttpContext Context(string? address, string host, params object[] metadata)
    {
        var context = new DefaultHttpContext();
        context.Request.Method = "GET";
        context.Request.Scheme = "http";
        context.Request.Host = new HostString(host);
        context.Connection.RemoteIpAddress = address is null ? null : IPAddress.Parse(address);
        context.SetEndpoint(new Endpoint(null, new EndpointMetadataCollection(metadata), "report"));
        return context;
    }

    private sealed class Named(string name) : IHostEnvironment
    {
        public string EnvironmentName { get; set; } = name;

        public string ApplicationName { get; set; } = "test";

        public string ContentRootPath { get; set; } = "/";

        public IFileProvider ContentRootFileProvider { get; set; } = new NullFileProvider();
    }
}
