using System.Text;
using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Tests.Sessions;

/// <summary>
/// Files made to hang the command. The tests judge memory, because it is the same on every machine and time follows it. A file of
/// dashes once took minutes and 4 GB.
/// </summary>
public class LargeSessionTests
{
    private const int Size = 4_000_000;
    private const string Get = "GET http://127.0.0.1:1/ HTTP/1.1\n";
    private const string Post = "POST http://127.0.0.1:1/ HTTP/1.1\nContent-Type: text/plain\n\n";

    // By name, because the runner copies a theory's data several times.
    private static readonly Dictionary<string, Func<string>> s_shapes = new()
    {
        ["lines of a body"] = () => Post + Repeat("x\n"),
        ["wrong headers"] = () => Get + Repeat("not a header\n"),
        ["headers"] = () => Get + Repeat("X: 1\n"),
        ["dashes"] = () => Get + Repeat("---\n"),
        ["separators"] = () => Repeat("G /\n-----\n"),
        ["requests"] = () => Repeat(Get + "\n-----\n\n"),
        ["variables"] = () => Post + Repeat("{{a}}"),
        ["variables without a value"] = () => Post + string.Concat(Enumerable.Range(0, Size / 12).Select(i => $"{{{{a{i}}}}}")),
        ["a URL"] = () => "GET http://127.0.0.1:1/" + Repeat("a") + " HTTP/1.1\n",
        ["invalid text"] = () => Get + "\n" + Repeat("\uFFFD"),
    };

    public static TheoryData<string> Shapes => [.. s_shapes.Keys];

    [Theory]
    [MemberData(nameof(Shapes))]
    public void Session_TakesLittleMemory_WhateverItRepeats(string shape)
    {
        var text = s_shapes[shape]();
        var before = GC.GetAllocatedBytesForCurrentThread();

        var session = SessionReader.Read(text, "large.websurge");

        var perCharacter = (GC.GetAllocatedBytesForCurrentThread() - before) / (double)text.Length;
        // A regular expression's match allocates many objects, but they don't stay.
        perCharacter.ShouldBeLessThan(shape.StartsWith("variables", StringComparison.Ordinal) ? 400 : 60, shape);
        session.Diagnostics.Count.ShouldBeLessThanOrEqualTo((2 * SessionDiagnostics.Most) + 1);
        session.Requests.Count.ShouldBeLessThanOrEqualTo(SessionLimits.Requests + 1);
    }

    [Fact]
    public void Diagnostics_SayHowManyAreLeftOut_AndKeepTheErrors()
    {
        var text = new StringBuilder(Get).Insert(0, Get + Repeat("not a header\n")[..20_000] + "\n-----\n").Append("\n-----\n\nPO?T http://x HTTP/1.1\n");

        var session = SessionReader.Read(text.ToString(), "wrong.websurge");

        session.Diagnostics[^1].Message.ShouldStartWith("539 more ");
        session.Errors.Single().Message.ShouldContain("PO?T");
    }

    [Fact]
    public void Request_WithTooManyHeaders_IsAnError() =>
        SessionReader.Read(Get + string.Concat(Enumerable.Repeat("X: 1\n", SessionLimits.Headers + 1)), "x.websurge").Errors.Single()
            .Message.ShouldContain(" 1000 headers");

    private static string Repeat(string text) => string.Concat(Enumerable.Repeat(text, Size / text.Length));
}
