using System.Text;
using AsyncProbe.Reporting.Lifeline;

namespace AsyncProbe.Tests.Reporting.Lifeline;

public sealed class LifelineRequestTests
{
    [Theory]
    [InlineData("GET / HTTP/1.1|Host: localhost:9||", 200)]
    [InlineData("GET / HTTP/1.1|Host: 127.0.0.1||", 200)]
    [InlineData("GET / HTTP/1.0|host:   [::1]:9  ||", 200)]
    [InlineData("GET / HTTP/1.1|Host: evil.example||", 404)]
    [InlineData("GET / HTTP/1.1|Host: localhost.evil.example||", 404)]
    [InlineData("GET / HTTP/1.1|Host: localhost|Host: evil.example||", 404)]
    [InlineData("GET / HTTP/1.1||", 404)]
    [InlineData("GET / HTTP/1.1|Host: localhost|X-Forwarded-For: 127.0.0.1||", 404)]
    [InlineData("GET / HTTP/1.1|Host: localhost|forwarded: for=1||", 404)]
    [InlineData("GET / HTTP/1.1|Host: localhost|X-Original-For: 10.1.2.3||", 404)]
    [InlineData("GET / HTTP/1.1|Host: localhost|x-real-ip: 127.0.0.1||", 404)]
    [InlineData("GET / HTTP/1.1|Host: localhost|Via: 1.1 proxy||", 404)]
    [InlineData("POST / HTTP/1.1|Host: localhost||", 405)]
    [InlineData("GET /||", 400)]
    [InlineData("GET  HTTP/1.1|Host: localhost||", 400)]
    [InlineData("GET ?x HTTP/1.1|Host: localhost||", 400)]
    [InlineData("GET page.js HTTP/1.1|Host: localhost||", 400)]
    [InlineData("|||", 400)]
    [InlineData("\u0000\u00ff\u0016\u0003||", 400)]
    [InlineData("GET / HTTP/1.1|Host: localhost|", null)]
    [InlineData("", null)]
    public void Parse_AnswersPlainLocalRequestsAlone(string request, int? status) => (Parse(request)?.Status).ShouldBe(status);

    [Theory]
    [InlineData("/", "/", int.MaxValue)]
    [InlineData("/?history=10", "/", 10)]
    [InlineData("/?x=1&history=0", "/", 0)]
    [InlineData("/?history=-1", "/", int.MaxValue)]
    [InlineData("/?history=99999999999", "/", int.MaxValue)]
    [InlineData("/page.js?history=3", "/page.js", 3)]
    public void Parse_TakesPathAndHistory(string target, string path, int seconds)
    {
        var request = Parse($"GET {target} HTTP/1.1|Host: localhost|accept: text/html|Origin: http://localhost:5||")!;

        (request.Path, request.HistorySeconds, request.Accept, request.Origin).ShouldBe((path, seconds, "text/html", "http://localhost:5"));
    }

    [Fact]
    public void Parse_RefusesAHeadThatDoesNotEnd() => Parse(new string('a', LifelineRequest.MaxHead))!.Status.ShouldBe(431);

    [Fact]
    public void Parse_NeverThrows_WhateverTheBytes()
    {
        var random = new Random(17);
        for (var i = 0; i < 20_000; i++)
        {
            var bytes = new byte[random.Next(200)];
            random.NextBytes(bytes);
            "\r\n\r\n"u8[..Math.Min(4, bytes.Length)].CopyTo(bytes.AsSpan(Math.Max(0, bytes.Length - 4)));
            LifelineRequest.Parse(bytes)?.Status.ShouldNotBe(200);
        }
    }

    private static LifelineRequest? Parse(string request) =>
        LifelineRequest.Parse(Encoding.Latin1.GetBytes(request.Replace("|", "\r\n", StringComparison.Ordinal)));
}
