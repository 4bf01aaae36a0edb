using AsyncProbe.Cli.Commands;
using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Tests.Commands;

[Trait("Category", "Logic")]
public class ImportNotesTests
{
    [Fact]
    public void Notes_OfManyPlaces_AreOneLine_AndFewAreShown()
    {
        var session = new Session
        {
            Source = "shop.har",
            Diagnostics =
            [
                .. Enumerable.Range(1, 60).Select(i => new SessionDiagnostic(
                    Severity.Note, i, $"$.log.entries[{i}]: The Host header follows from the URL.")),
                .. Enumerable.Range(1, 15).Select(i => new SessionDiagnostic(Severity.Note, 100 + i, $"Header {i} is never sent.")),
                new SessionDiagnostic(Severity.Warning, 200, "$.log: Something is wrong."),
                new SessionDiagnostic(Severity.Error, 201, "It is not JSON."),
            ],
        };

        var lines = ImportNotes.Describe(session).ToList();

        lines.Count.ShouldBe(13);
        lines[0].ShouldStartWith("shop.har(200): warning: ");
        lines[1].ShouldStartWith("shop.har(201): error: ");
        lines[2].ShouldStartWith("shop.har(1): note: ");
        lines[2].ShouldContain("59 more");
        lines[^1].ShouldStartWith("6 more");
    }
}
