using System.Text.RegularExpressions;

namespace AsyncProbe.Tests.Readme;

/// <summary>
/// Each promise in SECURITY.md has a test that would fail if it were broken. A sentence that isn't listed here makes this test fail.
/// </summary>
public sealed partial class SecurityPromisesTests
{
    private static readonly (string Promise, string[] Tests)[] s_promises =
    [
        ("| `AddAsyncProbe` | nothing: no thread, no listener, no count | no one |", ["DemandTests.Host_StartsOnlyWhatItsCallsNeed"]),
        ("| `UseAsyncProbe` | counts in memory; in Development also response headers | no one |",
            ["ReportTests.Production_EmitsNoHeaders_UnlessAsked", "ExposedAppTests.Report_IsNotThere_UnlessItIsMapped"]),
        ("| `EmitHeaders = true` outside Development | the headers, on every response | every client of your app: pool figures and this "
            + "request's times, no names |",
            ["ExposedAppTests.Headers_NameNothing_OutsideDevelopment"]),
        ("| `MapAsyncProbe` in Development | the report, its page, its help, its metrics, its profile, its reset | every caller that uses a "
            + "name of this machine, but no page of another origin |",
            ["ReportAccessTests.Development_AnswersCallersFromAnywhere", "PrometheusTextTests.Metrics_AreForThoseWhoMaySeeTheReport",
                "ForeignOriginTests.Cors_ThatAllowsEverybody_ShowsTheReportToNoOtherOrigin"]),
        ("| `MapAsyncProbe` elsewhere | the same | no one, until you say who: 404, whatever the method |",
            ["ExposedAppTests.Production_AnswersNobody_UntilTheAppSaysWhom", "PageFilesTests.Parts_AreNotServed_ToAStranger"]),
        ("| `AddStackSnapshots` with `MapAsyncProbe` | `POST …/snapshot`; outside Development only with `AllowSnapshotRequests` | as the "
            + "report |", ["PostTests.Post_IsOffOutsideDevelopment_UnlessAllowed"]),
        ("| `LifelinePort` | a second listener on 127.0.0.1 with the report, its page, its help and its metrics | callers that pass the "
            + "test of `AllowLocal` below |",
            ["LifelineTests.Lifeline_ListensOnTheLoopbackAddressAlone", "LifelineRequestTests.Parse_AnswersPlainLocalRequestsAlone"]),
        ("Outside Development, only these settings say who may see the report.",
            ["ReportAccessTests.Production_AnswersNobody_UntilTheAppSaysWhom"]),
        ("If none of them is set, the log says so at start.",
            ["ExposedAppTests.Start_SaysOnceThatNobodyIsAnswered_AndHowToChangeThat",
                "ExposedAppTests.Start_SaysNothing_WhereSomebodyIsAnswered"]),
        ("- **Authorization on the endpoint**: `app.MapAsyncProbe().RequireAuthorization(\"operators\")`.",
            ["ReportAuthorizationTests.Authorization_AnswersWhoPassesIt"]),
        ("It counts only where the authorization middleware has run for the request, and not together with `AllowAnonymous`.",
            ["ReportAuthorizationTests.Authorization_DoesNotCount_WhereNothingEnforcesIt",
                "ReportAuthorizationTests.Authorization_IsTakenBack_WhereAnonymousCallersAreAllowed"]),
        ("A fallback policy does not count.", ["ReportAuthorizationTests.FallbackPolicy_LiftsNothing"]),
        ("- **`AsyncProbe:ManagementPort`**: requests whose connection came in on that local port. No header changes that.",
            ["ExposedAppTests.ManagementPort_AnswersThereAlone"]),
        ("If that port is on a loopback address, the rules for Development apply too.",
            ["ReportAccessTests.Host_IsANameOfThisMachine_InDevelopmentAndOnAManagementPortOnLoopback",
                "ReportAccessTests.ManagementPort_OnLoopback_RefusesAPageOfAnotherOrigin"]),
        ("The connection's own address is a loopback address; one that forwarded headers have set doesn't count.",
            ["AllowLocalTests.AllowLocal_RefusesAForgedAddress_ThatForwardedHeadersBelieve",
                "AllowLocalTests.AllowLocal_KnowsLoopback_MappedIntoIPv6"]),
        ("The `Host` is `localhost`, ends in `.localhost` or is a loopback address, so a web page whose name was pointed at 127.0.0.1 gets "
            + "nothing.",
            ["AllowLocalTests.AllowLocal_RefusesAForeignName_PointedAtThisMachine"]),
        ("And the request has no header that a proxy leaves (`Forwarded`, `X-Forwarded-*`, `X-Original-*`, `X-Real-IP`, `Via`, and those of Cloudflare, "
            + "Akamai, Fastly, Azure, Envoy and ARR).",
            ["ReportAccessTests.AllowLocal_RefusesACallerThroughAProxy_ThatLeavesAMark"]),
        ("Callers over a Unix socket, which has no address, are refused; those of the in-memory test server are not.",
            ["NginxTests.AllowLocal_RefusesAUnixSocket_BehindWhichAProxyIsLikely",
                "AllowLocalTests.AllowLocal_AnswersTheInMemoryServer"]),
        ("Scripts of pages from another origin are refused, whatever your CORS policy allows.",
            ["ForeignOriginTests.Cors_ThatAllowsEverybody_ShowsTheReportToNoOtherOrigin",
                "ReportAccessTests.Get_IsRefusedToAnotherOriginsScript_AndNotToALink"]),
        ("- **`AsyncProbe:AllowRemote`**: everybody.", ["ReportAccessTests.AllowRemote_AnswersEverybody"]),
        ("nginx with only `proxy_pass` leaves no mark and asks under the loopback name.",
            ["NginxTests.Nginx_LooksLikeACallerOnThisMachine_SoNobodyIsAnsweredUnasked"]),
        ("So does a relay (`ssh -R`, stunnel, a load balancer in TCP mode) for callers who choose their `Host`.",
            ["AllowLocalTests.Relay_LooksLikeACallerOnThisMachine_SoNobodyIsAnsweredUnasked"]),
        ("A host policy (`RequireHost`) never counts: the client chooses the `Host` header.",
            ["ReportAuthorizationTests.HostPolicy_LiftsNothing"]),
        ("In Development the `Host` has to be `localhost` or a name that ends in `.localhost`, an IP address, or the machine's name.",
            ["ReportAccessTests.Host_IsANameOfThisMachine_InDevelopmentAndOnAManagementPortOnLoopback",
                "ReportAccessTests.Host_MayBeTheMachinesName_OrAnyNameWhereEverybodyIsAllowed"]),
        ("A page of another site whose name was pointed at your machine (DNS rebinding) can send only its own name, so it gets 404, and the "
            + "log says so once.",
            ["ExposedAppTests.ForeignName_GetsNothingInDevelopment_AndTheLogSaysOnceWhy",
                "ReportAccessTests.Host_IsTheOneThatTheBrowserSent_WhereForwardedHeadersReplacedIt"]),
        ("Set `AllowRemote` if you use another name.", ["ReportAccessTests.Host_MayBeTheMachinesName_OrAnyNameWhereEverybodyIsAllowed"]),
        ("A fallback policy does not hide the report in Development; `RequireAuthorization()` on it does.",
            ["ReportAuthorizationTests.FallbackPolicy_HidesNothing_InDevelopment"]),
        ("POSTs (reset, snapshot) are refused when `Origin` or `Sec-Fetch-Site` says that they come from another site, in Development and "
            + "with every option.",
            ["ForeignOriginTests.Post_OfAnotherSitesPage_ChangesNothing",
                "ReportAccessTests.Post_IsRefusedFromAnotherOrigin_EvenInDevelopment", "PostTests.Post_OfAnotherSitesPage_IsRefused"]),
        ("Everything is sent with `Cache-Control: no-store`. Output caching neither stores nor serves it, whatever its policies say, and "
            + "neither does response caching.",
            ["NeverStoredTests.OutputCaching_NeitherStoresNorServesTheReport",
                "NeverStoredTests.OutputCaching_DoesNotServeAReport_ThatSomethingElseHasStored",
                "NeverStoredTests.ResponseCaching_NeitherStoresNorServesTheReport_ThoughTheAppMakesEverythingPublic"]),
        ("The page loads and runs nothing but its own files (`Content-Security-Policy`), and cannot be framed.",
            ["PageFilesTests.Page_ForbidsEverythingThatIsNotItsOwn",
                "PageTests.Page_WorksUnderItsPolicy_WithoutErrors_AndNeverLeavesItsOrigin", "PageTests.Names_AreText_WhateverTheyHold"]),
        ("The routes are not in your OpenAPI document.", ["ExposedAppTests.ApiDescriptions_DoNotShowTheReport"]),
        ("A request with a wrong method gets status 405 and nothing else.",
            ["HostileRequestTests.WrongMethod_GetsAStatusThatSaysWhichIsRight"]),
        ("A query string or an `Accept` header that means nothing is ignored.",
            ["HostileRequestTests.QueryString_GetsAReport_WhateverItSays",
                "HostileRequestTests.Accept_GetsThePageOrTheReport_WhateverItSays"]),
        ("Scripts of the lifeline's own page can read it. So can scripts of your application's pages that are open under a loopback name, so "
            + "that an open page goes on while the pool is starved.",
            ["LifelineTests.Lifeline_IsReadByScripts_OfItsOwnPageAndTheApplicationsAlone",
                "LifelinePageTests.OpenPage_GoesOnFromTheLifeline_WhileThePoolIsStarved"]),
        ("A page of any other origin gets nothing.",
            ["LifelineTests.Lifeline_IsReadByScripts_OfItsOwnPageAndTheApplicationsAlone",
                "LifelinePageTests.Lifeline_IsClosed_ToAPageOfAnotherOrigin"]),
        ("The lifeline changes nothing: reset and snapshot are not there.", ["LifelineRequestTests.Parse_AnswersPlainLocalRequestsAlone"]),
        ("The lifeline reads at most 8 kB a request,",
            ["LifelineRequestTests.Parse_RefusesAHeadThatDoesNotEnd", "LifelineCrowdTests.Lifeline_DropsWhoSendsTooMuch_WithoutGrowing"]),
        ("keeps at most 32 connections,", ["LifelineCrowdTests.Lifeline_AnswersOthers_WhileAThousandConnectionsSayNothing"]),
        ("drops callers that take more than two seconds,", ["LifelineFaultsTests.Caller_IsDropped_WhoSaysNothingForTwoSeconds"]),
        ("and pauses when the process has no descriptors left.",
            ["LifelineFaultsTests.Thread_PausesBetweenAttempts_WhenTheProcessHasNoDescriptorsLeft"]),
        ("Tests make allocations, threads, files and sockets of both packages fail, and check every answer of the host.",
            ["InjectedFaultsTests.Host_AnswersEverythingRight_WhereAPlaceFails"]),
        ("Stack snapshots ask the process's own runtime through its socket. They use the socket's exact name, which contains the process's "
            + "start time, whatever else lies in the shared temporary folder,",
            ["DiagnosticsSocketTests.PlantedSocket_IsNotAsked"]),
        ("and only if this process listens there.", ["DiagnosticsSocketTests.Socket_IsNotAsked_WhenAnotherProcessListens"]),
        ("They give up on a runtime that does not answer within three seconds,",
            ["DiagnosticsSocketTests.Socket_IsGivenUp_WhenItAcceptsNothingAndItsQueueIsFull",
                "DiagnosticsSocketTests.Socket_IsGivenUp_WhenItAcceptsAndNeverAnswers"]),
        ("and a session ends at 512 MB or 30 s.",
            ["DiagnosticsSocketTests.EndlessStream_IsGivenUp_AfterSoManyBytes",
                "DiagnosticsSocketTests.EndlessStream_IsGivenUp_AfterSomeTime"]),
        ("On Windows they use the runtime's named pipe, and only after Windows has confirmed that this process listens on it.",
            ["SnapshotTests.Snapshot_NamesTheLineThatSleeps_EachTime", "WineTests.Program_PassesTheTests_OnWindowsRuntime"]),
        ("The report holds route templates, method names of your code, file names (from the project's root, never the build machine's "
            + "path), line numbers, and process figures with the names of machine and program. In Development it also holds stacks, and the "
            + "text of the lines that block if the very files that were compiled are there.",
            ["ReportContentsTests.Stacks_AreShown_InDevelopmentAlone", "SourceRootTests.File_IsToldFromTheProjectsRoot",
                "SourceFileTests.Line_IsNotShown_WhenTheFileIsAnother"]),
        ("It never holds a raw path, a query string, a header, a body or a user's name.",
            ["HostileRequestTests.Report_HoldsNothingThatACallerSent"]),
        ("`DOTNET_EnableDiagnostics=0` closes it.", ["RefusalTests.SwitchedOffDiagnostics_AreRefused"]),
        ("If a process has the package, the command reads the package's own report, whatever its access rules say about HTTP: they don't "
            + "bind the process's own user.",
            ["AttachTests.AppWithPackage_IsReadThroughItsOwnReport"]),
        ("The probe leaves within seconds after the command ends, unless you gave `--keep`.",
            ["AttachTests.Probe_Detaches_WhenTheToolIsKilled", "AttachTests.KeptProbe_Stays_UntilItIsDetached"]),
        ("It sends no environment variable", ["PermissionTests.Environment_IsListedByCheckAndRefusedByRun_UnlessAllowed"]),
        ("and accepts no certificate unchecked unless you allow it with an option,",
            ["TransportTests.Certificate_IsRefused_UnlessInsecure", "TransportTests.Certificate_IsRefused_WhenOnlyTheSessionWouldTakeIt"]),
        ("and it never follows a redirect to another host.", ["PermissionTests.Redirect_IsAFailureAndNotFollowed_WhenItLeavesThem"]),
        ("It masks secrets and replaces control characters in everything that it prints and writes.",
            ["SecretsTests.Secrets_AreInNoOutput_OfAnyForm", "SafeTextTests.ControlCharacter_IsReplaced"]),
    ];

    // Sentences that explain and make no promise.
    private static readonly string[] s_rest =
    [
        "# Security", "## What is exposed, and when", "AsyncProbe opens nothing that you did not ask for.",
        "| you call | what there is | who is answered |", "|---|---|---|",
        "- **`AsyncProbe:AllowLocal`**: programs on the same machine. **Only for machines without a proxy, tunnel or relay.** It requires "
            + "three things.",
        "For closed networks.",
        "By default AsyncProbe answers no one, not even programs on the same machine, because a proxy there looks like any other program.",
        "[docs/limits.md](docs/limits.md#when-the-process-runs-out-of-something) says what was tried and what we know only from "
            + "reading the code.",
        "## What the report holds", "## Attaching",
        "`asyncprobe attach` and `start` load code into another process, through the runtime's diagnostics socket. That socket is open to "
            + "the process's user and to root, and already lets them take a dump or load any assembly.",
        "[docs/attach.md](docs/attach.md#what-it-loads-and-who-can-do-it) says what is loaded and what we know only from reading "
            + "the code.",
        "## The command `asyncprobe`", "It treats session files and servers' answers as hostile.",
        "The rules are in [docs/asyncprobe.md](docs/asyncprobe.md#what-a-file-or-a-server-may-not-do).",
    ];

    [Fact]
    public async Task Document_PromisesWhatIsListedHere_AndNothingElse()
    {
        var text = await File.ReadAllTextAsync(Path.Combine(Repository.Folder, "SECURITY.md"));
        var left = Space().Replace(text[..text.IndexOf("## Reporting a problem", StringComparison.Ordinal)], " ");

        foreach (var part in s_promises.Select(p => p.Promise).Concat(s_rest))
        {
            left.ShouldContain(part);
            left = left.Replace(part, "", StringComparison.Ordinal);
        }

        left.Trim().ShouldBeEmpty("a sentence of SECURITY.md has no test here");
    }

    [Fact]
    public async Task Promise_NamesTestsThatExist()
    {
        Dictionary<string, string> classes = [];
        foreach (var file in Directory.EnumerateFiles(Path.Combine(Repository.Folder, "tests"), "*Tests.cs", SearchOption.AllDirectories))
        {
            var name = Path.GetFileNameWithoutExtension(file);
            classes[name] = classes.GetValueOrDefault(name) + await File.ReadAllTextAsync(file);
        }

        s_promises.SelectMany(p => p.Tests).ShouldAllBe(test => Exists(classes, test));
    }

    private static bool Exists(Dictionary<string, string> classes, string test) =>
        test.Split('.') is [var type, var method] && classes.TryGetValue(type, out var code)
            && Regex.IsMatch(code, $@"public (async Task|Task|void) {method}\(");

    [GeneratedRegex(@"\s+")]
    private static partial Regex Space();
}
