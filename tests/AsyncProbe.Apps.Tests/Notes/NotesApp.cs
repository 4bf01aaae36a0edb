using System.Net;
using System.Text.Json;
using AsyncProbe.Apps.Tests.Running;

namespace AsyncProbe.Apps.Tests.Notes;

/// <summary>An API with ASP.NET Core Identity, bearer tokens, an API key, and EF Core over SQLite.</summary>
internal sealed class NotesApp : JudgedApp
{
    private const string Credentials = """{"email":"reader@example.org","password":"Secret-1"}""";
    private const string Note = """{"text":"hello"}""";

    public override string Name => "Notes";

    public override async Task<IReadOnlyList<Call>> CallsAsync(AppProcess process, Load load, AppSetting setting)
    {
        (await load.SendAsync(new Call("POST", "/account/register", "POST /account/register") { Json = Credentials })).Dispose();
        var login = new Call("POST", "/account/login", "POST /account/login") { Json = Credentials, IsRepeatable = false, Share = 0.5 };
        using var answer = await load.SendAsync(login);
        using var tokens = JsonDocument.Parse(await answer.Content.ReadAsStringAsync());
        var bearer = ("Authorization", "Bearer " + tokens.RootElement.GetProperty("accessToken").GetString());
        var key = ("X-Api-Key", "reporting");
        return
        [
            login,
            new("POST", "/account/login", "POST /account/login")
            {
                Json = Credentials.Replace("reader", "stranger", StringComparison.Ordinal),
                Status = HttpStatusCode.Unauthorized,
                Share = 0.2,
            },
            new("GET", "/notes", "GET /notes/") { Status = HttpStatusCode.Unauthorized },
            new("POST", "/notes", "POST /notes/") { Json = Note, Header = bearer, Status = HttpStatusCode.NoContent },
            new("GET", "/notes", "GET /notes/") { Header = bearer },
            new("GET", "/notes/1", "GET /notes/{id:int}") { Header = bearer },
            new("PUT", "/notes/1", "PUT /notes/{id:int}")
            {
                Json = Note,
                Header = bearer,
                Status = HttpStatusCode.NoContent,
                Share = 0.5,
                NeedsOthers = true,
            },
            new("GET", "/notes/owner", "GET /notes/owner") { Header = bearer },
            new("GET", "/notes/export", "GET /notes/export") { Header = bearer },
            new("GET", "/notes/preview", "GET /notes/preview") { Header = bearer },
            new("GET", "/reports/status", "GET /reports/status") { Header = key },
            new("GET", "/reports/status", "GET /reports/status") { Status = HttpStatusCode.Unauthorized },
            new("GET", "/figures/checksum", "GET /figures/checksum"),
            new("GET", "/figures/longest", "GET /figures/longest"),
            new("DELETE", "/drafts/1", "DELETE /drafts/{id:int}") { Status = HttpStatusCode.NoContent },
            new("DELETE", "/drafts/async/1", "DELETE /drafts/async/{id:int}") { Status = HttpStatusCode.NoContent },
            new("GET", "/drafts/mailed", "GET /drafts/mailed"),
            new("GET", "/nowhere", "(unmatched)") { Status = HttpStatusCode.NotFound },
        ];
    }

    public override IReadOnlyList<EndpointTruth> Truths()
    {
        var lines = new Markers(AppProcess.FolderOf(Name));
        return
        [
            new()
            {
                Endpoint = "POST /account/register",
                Note = "once",
                Verdict = "notEnoughData",
                MayBlockInLibraries = true,
                IsHandledByLibrary = true,
            },
            new()
            {
                Endpoint = "POST /account/login",
                Note = "100,000 rounds of PBKDF2",
                Verdict = "cpuBound",
                CpuMs = Between.AtLeast(3),
                MayBlockInLibraries = true,
                IsHandledByLibrary = true,
            },
            new()
            {
                Endpoint = "GET /notes/",
                Note = "asynchronous, half of them refused",
                Verdict = "fine|cpuBound|lockContention|providerIsSynchronous",
                MayBlockInLibraries = true,
                Sites = [Sqlite("list", "NoteEndpoints.MapNotes")],
            },
            new()
            {
                Endpoint = "POST /notes/",
                Note = "asynchronous over a provider that is not; the disk decides",
                Verdict = "fine|cpuBound|lockContention|providerIsSynchronous",
                MayBlockInLibraries = true,
                Sites = [Sqlite("save", "NoteEndpoints.MapNotes")],
            },
            new()
            {
                Endpoint = "GET /notes/{id:int}",
                Note = "asynchronous",
                Verdict = "fine|cpuBound|lockContention|providerIsSynchronous",
                MayBlockInLibraries = true,
                Sites = [Sqlite("find", "NoteEndpoints.MapNotes")],
            },
            new()
            {
                Endpoint = "PUT /notes/{id:int}",
                Note = "asynchronous; waits in SQLite for the write lock",
                Verdict = "providerIsSynchronous",
                MayBlockInLibraries = true,
                Sites = [Sqlite("begin", "NoteEndpoints.Replace"), Sqlite("update", "NoteEndpoints.Replace"), Sqlite("commit", "NoteEndpoints.Replace")],
                BlockedMs = Between.AtLeast(5),
            },
            new()
            {
                Endpoint = "GET /notes/owner",
                Note = ".Result of a task that has ended",
                Verdict = "fine|cpuBound|lockContention|providerIsSynchronous",
                MayBlockInLibraries = true,
                Sites = [Sqlite("owner", "NoteEndpoints.MapNotes")],
            },
            new EndpointTruth
            {
                Endpoint = "GET /notes/export", Verdict = "asyncWillHelp",
                Sites = [lines.Site("export", "Task.Result", "NoteEndpoints.MapNotes") with { BlocksMs = 30 }],
            }.Waiting(30),
            new() { Endpoint = "GET /notes/preview", Note = "the same, awaited", Verdict = "alreadyAsync|fine" },
            new EndpointTruth
            {
                Endpoint = "GET /reports/status", Note = "an authentication handler that waits, half of them refused",
                Verdict = "asyncWillHelp",
                Sites = [lines.Site("api-key", "Task.GetResult", "ApiKeyHandler.HandleAuthenticateAsync") with { BlocksMs = 20 }],
            }.Waiting(20),
            new() { Endpoint = "GET /figures/checksum", Note = "a CPU loop", Verdict = "cpuBound", CpuMs = Between.AtLeast(2) },
            new()
            {
                Endpoint = "GET /figures/longest", Note = "a synchronous query that SQLite computes", Verdict = "cpuBound|lockContention",
                MayBlockInLibraries = true, CpuMs = Between.AtLeast(2),
                Sites = [lines.Site(
                    "longest", "EfCore",
                    "ReportEndpoints.MapReports") with { SeenBy = SeenBy.Perhaps,
                        OrInCaller = [new Place("ReportEndpoints.MapReports", null, null)] }],
            },
            new EndpointTruth
            {
                Endpoint = "DELETE /drafts/{id:int}", Note = "a scoped service that waits when it is disposed", Verdict = "asyncWillHelp",
                Sites = [lines.Site("audit-dispose", "Task.Wait", "AuditTrail.Dispose") with { BlocksMs = 20 }],
            }.Waiting(20),
            new() { Endpoint = "DELETE /drafts/async/{id:int}", Note = "the same, awaited", Verdict = "fine|alreadyAsync" },
            new EndpointTruth
            {
                Endpoint = "GET /drafts/mailed", Note = "sleeps in OnCompleted", Verdict = "asyncWillHelp",
                Sites =
                [
                    lines.Site("mailed", "Sleep", "AuditedEndpoints.MapAudited") with { SeenBy = SeenBy.Snapshot, BlocksMs = 15 },
                ],
            }.Sleeping(15),
            new() { Endpoint = "(unmatched)", Verdict = "fine" },
        ];

        // SQLite waits for the disk and for the write lock on the calling thread, also in EF Core's asynchronous methods.
        SiteTruth Sqlite(string name, string method) => lines.Site(name, "EfCore", method) with { SeenBy = SeenBy.Perhaps };
    }
}
