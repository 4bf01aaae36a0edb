using System.Text;
using System.Text.Json.Nodes;
using AsyncProbe.Cli.Sessions;
using FsCheck;
using FsCheck.Fluent;

namespace AsyncProbe.Cli.Tests.Sessions;

public class SessionWriterTests
{
    [Fact]
    public void Writer_FollowsTheSafeRecipe_SoThatVersionOneReadsIt()
    {
        var session = new Session
        {
            Source = "x",
            Requests =
            [
                new() { Verb = "GET", Url = "http://localhost/a", Name = "A", Headers = [new("Accept", "*/*")] },
                new()
                {
                    Verb = "POST",
                    Url = "http://localhost/b",
                    Body = "one\r\n------\r\nHTTP/1.1 two",
                    Inactive = true,
                    SortNoRandomize = true,
                },
            ],
            WrittenOptions = new(new JsonObject { ["LastThreads"] = 9, ["SecondsToRun"] = 4, ["Password"] = "hidden", ["Colour"] = "red" }),
        };

        var (requests, options, complaints) = VersionOneReader.Read(Encoding.UTF8.GetBytes(SessionWriter.Write(session)));

        complaints.ShouldBeEmpty();
        requests[0].ShouldBe(new("GET", "http://localhost/a", "A", ""));
        requests[1].Body.ShouldStartWith("b64_");
        options.GetProperty("ThreadCount").GetInt32().ShouldBe(9);
        options.GetProperty("LastSecondsToRun").GetInt32().ShouldBe(4);
        options.GetProperty("Password").ValueKind.ShouldBe(System.Text.Json.JsonValueKind.Null);
        options.GetProperty("Colour").GetString().ShouldBe("red");
    }

    [Theory]
    [InlineData("GET", "http://localhost/", "body", null)]
    [InlineData("GE T", "http://localhost/", "", null)]
    [InlineData("GET", "", "", null)]
    [InlineData("GET", "http://localhost/", "", "a\nb")]
    public void Writer_Refuses_WhatTheFormatCannotHold(string verb, string url, string body, string? name) =>
        Should.Throw<SessionException>(() => SessionWriter.Write(new Session
        {
            Source = "x",
            Requests = [new() { Verb = verb, Url = url, Body = body, Name = name }],
        })).Message.ShouldContain("cannot be saved");

    [Fact]
    public void Session_ReadsBackEqual_WhenItWasWritten()
    {
        var property = Prop.ForAll(Arb.From(Generators.Session), session =>
        {
            var read = SessionReader.Read(SessionWriter.Write(session), session.Source);
            read.Requests.Count.ShouldBe(session.Requests.Count);
            foreach (var (before, after) in session.Requests.Zip(read.Requests))
            {
                after.Verb.ShouldBe(before.Verb);
                after.Url.ShouldBe(before.Url);
                // A header without a value moves up if it would be last.
                after.Headers.ShouldBe(
                    before.Headers is [.., { Value: "" }] ? before.Headers.OrderBy(header => header.Value.Length > 0) : before.Headers);
                (after.Name, after.Inactive, after.SortNoRandomize).ShouldBe((before.Name, before.Inactive, before.SortNoRandomize));
                BodyBytes.Encode(after, after.Body).Bytes.ShouldBe(BodyBytes.Encode(before, before.Body).Bytes);
            }

            JsonNode.DeepEquals(read.WrittenOptions?.Json["Unknown"], session.WrittenOptions?.Json["Unknown"]).ShouldBeTrue();
            SessionWriter.Write(SessionReader.Read(SessionWriter.Write(read), "again")).ShouldBe(SessionWriter.Write(read));
        });

        Check.One(Config.QuickThrowOnFailure.WithMaxTest(500), property);
    }

    [Fact]
    public void Reader_NeitherThrowsNorHangs_WhateverTheBytes()
    {
        var property = Prop.ForAll(Arb.From(Generators.Junk), text =>
        {
            var read = Task.Run(() => SessionReader.Read(text, "junk"));
            read.Wait(TimeSpan.FromSeconds(20)).ShouldBeTrue();
            read.Result.Diagnostics.ShouldAllBe(diagnostic => diagnostic.Line >= 1);
        });

        Check.One(Config.QuickThrowOnFailure.WithMaxTest(1000), property);
    }
}
