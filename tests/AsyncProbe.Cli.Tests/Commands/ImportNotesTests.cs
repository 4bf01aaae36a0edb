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
        lines[0].ShouldBe("shop.har(200): warning: $.log: Something is wrong.");
        lines[1].ShouldBe("shop.har(201): error: It is not JSON.");
        lines[2].ShouldBe("shop.har(1): note: $.log.entries[1]: The Host header follows from the URL. (59 more like this)");
        lines[^1].ShouldBe("6 more: asyncprobe check shop.har shows all.");
    }
}
