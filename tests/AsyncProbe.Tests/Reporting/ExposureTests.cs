using System.Net;
using AsyncProbe.Reporting;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.FileProviders;
using Microsoft.Extensions.Hosting;
using MsOptions = Microsoft.Extensions.Options.Options;

namespace AsyncProbe.Tests.Reporting;

/// <summary>Who is answered outside Development. Asked of the rule itself, because a test cannot call from a remote address.</summary>
public sealed class ExposureTests
{
    [Theory]
    [InlineData("127.0.0.1", "localhost", true)]
    [InlineData("::1", "[::1]:5080", true)]
    [InlineData("::ffff:127.0.0.1", "127.0.0.1:5080", true)]
    [InlineData(null, "localhost", true)]
    [InlineData("10.1.2.3", "localhost", false)]
    [InlineData("127.0.0.1", "evil.example", false)]
    [InlineData("127.0.0.1", "localhost.evil.example", false)]
    [InlineData("127.0.0.1", "", false)]
    public void Production_AnswersDirectLoopbackCallersAlone(string? address, string host, bool isAnswered) =>
        Allows(Context(address, host)).ShouldBe(isAnswered);

    [Theory]
    [InlineData("Forwarded", "for=127.0.0.1")]
    [InlineData("X-Forwarded-For", "127.0.0.1")]
    [InlineData("x-forwarded-proto", "https")]
    [InlineData("X-Forwarded-Anything", "")]
    public void Production_RefusesAForwardedCaller_ThoughTheProxyIsLocal(string header, string value)
    {
        var context = Context("127.0.0.1", "localhost");
        context.Request.Headers[header] = value;

        Allows(context).ShouldBeFalse();
    }

    [Fact]
    public void Production_AnswersARemoteCaller_WhenTheEndpointRequiresAuthorization() =>
        Allows(Context("10.1.2.3", "shop.example", new AuthorizeAttribute())).ShouldBeTrue();

    [Fact]
    public void Production_RefusesARemoteCaller_WhenAnonymousCallersAreAllowedAgain() =>
        Allows(Context("10.1.2.3", "shop.example", new AuthorizeAttribute(), new AllowAnonymousAttribute())).ShouldBeFalse();

    [Fact]
    public void Production_AnswersARemoteCaller_WhenAllowRemoteIsSet() =>
        Allows(Context("10.1.2.3", "shop.example"), new AsyncProbeOptions { AllowRemote = true }).ShouldBeTrue();

    [Theory]
    [InlineData(9000, true)]
    [InlineData(80, false)]
    public void Production_AnswersARemoteCaller_OnTheManagementPortAlone(int port, bool isAnswered)
    {
        var context = Context("10.1.2.3", "shop.example");
        context.Connection.LocalPort = port;

        Allows(context, new AsyncProbeOptions { ManagementPort = 9000 }).ShouldBe(isAnswered);
    }

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

    [Fact]
    public void Development_AnswersEverybody() => Allows(Context("10.1.2.3", "shop.example"), environment: "Development").ShouldBeTrue();

    private static bool Allows(HttpContext context, AsyncProbeOptions? options = null, string environment = "Production") =>
        new Exposure(new Named(environment), MsOptions.Create(options ?? new AsyncProbeOptions())).Allows(context);

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
