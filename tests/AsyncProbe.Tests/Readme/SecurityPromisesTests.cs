using System.Text.RegularExpressions;

namespace AsyncProbe.Tests.Readme;

/// <summary>
/// Each promise in SECURITY.md has a test that would fail if it were broken. The tests are listed by the promise's id, so the page can be
/// reworded without a change here.
/// </summary>
public sealed class SecurityPromisesTests
{
    private static readonly (string Id, string[] Tests)[] s_promises =
    [
        ("add", ["DemandTests.Host_StartsOnlyWhatItsCallsNeed", "WorkerTests.Worker_HasItsOperations_WithTheLineThatBlocks"]),
        ("use", ["ReportTests.Production_EmitsNoHeaders_UnlessAsked", "ExposedAppTests.Report_IsNotThere_UnlessItIsMapped"]),
        ("emit-headers", ["ExposedAppTests.Headers_NameNothing_OutsideDevelopment"]),
        ("map-in-development",
            ["ReportAccessTests.Development_AnswersCallersFromAnywhere", "PrometheusTextTests.Metrics_AreForThoseWhoMaySeeTheReport",
                "ForeignOriginTests.Cors_ThatAllowsEverybody_ShowsTheReportToNoOtherOrigin"]),
        ("map", ["ExposedAppTests.Production_AnswersNobody_UntilTheAppSaysWhom", "PageFilesTests.Parts_AreNotServed_ToAStranger"]),
        ("add-snapshots", ["PostTests.Post_IsOffOutsideDevelopment_UnlessAllowed"]),
        ("lifeline",
            ["LifelineTests.Lifeline_ListensOnTheLoopbackAddressAlone", "LifelineRequestTests.Parse_AnswersPlainLocalRequestsAlone"]),
        ("no-one", ["ReportAccessTests.Production_AnswersNobody_UntilTheAppSaysWhom"]),
        ("no-one-is-logged",
            ["ExposedAppTests.Start_SaysOnceThatNobodyIsAnswered_AndHowToChangeThat",
                "ExposedAppTests.Start_SaysNothing_WhereSomebodyIsAnswered"]),
        ("authorization", ["ReportAuthorizationTests.Authorization_AnswersWhoPassesIt"]),
        ("authorization-is-enforced",
            ["ReportAuthorizationTests.Authorization_DoesNotCount_WhereNothingEnforcesIt",
                "ReportAuthorizationTests.Authorization_IsTakenBack_WhereAnonymousCallersAreAllowed"]),
        ("no-fallback-policy", ["ReportAuthorizationTests.FallbackPolicy_LiftsNothing"]),
        ("no-host-policy", ["ReportAuthorizationTests.HostPolicy_LiftsNothing"]),
        ("management-port", ["ExposedAppTests.ManagementPort_AnswersThereAlone"]),
        ("management-port-on-loopback",
            ["ReportAccessTests.Host_IsANameOfThisMachine_InDevelopmentAndOnAManagementPortOnLoopback",
                "ReportAccessTests.ManagementPort_OnLoopback_RefusesAPageOfAnotherOrigin"]),
        ("allow-local", ["ReportAccessTests.AllowLocal_AnswersLoopbackCallersUnderALoopbackName"]),
        ("allow-remote", ["ReportAccessTests.AllowRemote_AnswersEverybody"]),
        ("local-address",
            ["AllowLocalTests.AllowLocal_RefusesAForgedAddress_ThatForwardedHeadersBelieve",
                "AllowLocalTests.AllowLocal_KnowsLoopback_MappedIntoIPv6"]),
        ("local-host", ["AllowLocalTests.AllowLocal_RefusesAForeignName_PointedAtThisMachine"]),
        ("local-no-proxy-header", ["ReportAccessTests.AllowLocal_RefusesACallerThroughAProxy_ThatLeavesAMark"]),
        ("local-no-unix-socket",
            ["NginxTests.AllowLocal_RefusesAUnixSocket_BehindWhichAProxyIsLikely", "AllowLocalTests.AllowLocal_AnswersTheInMemoryServer"]),
        ("local-no-foreign-script",
            ["ForeignOriginTests.Cors_ThatAllowsEverybody_ShowsTheReportToNoOtherOrigin",
                "ReportAccessTests.Get_IsRefusedToAnotherOriginsScript_AndNotToALink"]),
        ("nginx-leaves-no-mark", ["NginxTests.Nginx_LooksLikeACallerOnThisMachine_SoNobodyIsAnsweredUnasked"]),
        ("relay-leaves-no-mark", ["AllowLocalTests.Relay_LooksLikeACallerOnThisMachine_SoNobodyIsAnsweredUnasked"]),
        ("development-host",
            ["ReportAccessTests.Host_IsANameOfThisMachine_InDevelopmentAndOnAManagementPortOnLoopback",
                "ReportAccessTests.Host_MayBeTheMachinesName_OrAnyNameWhereEverybodyIsAllowed"]),
        ("development-rebinding",
            ["ExposedAppTests.ForeignName_GetsNothingInDevelopment_AndTheLogSaysOnceWhy",
                "ReportAccessTests.Host_IsTheOneThatTheBrowserSent_WhereForwardedHeadersReplacedIt"]),
        ("development-other-name", ["ReportAccessTests.Host_MayBeTheMachinesName_OrAnyNameWhereEverybodyIsAllowed"]),
        ("development-authorization", ["ReportAuthorizationTests.FallbackPolicy_HidesNothing_InDevelopment"]),
        ("posts",
            ["ForeignOriginTests.Post_OfAnotherSitesPage_ChangesNothing",
                "ReportAccessTests.Post_IsRefusedFromAnotherOrigin_EvenInDevelopment", "PostTests.Post_OfAnotherSitesPage_IsRefused"]),
        ("no-store",
            ["NeverStoredTests.OutputCaching_NeitherStoresNorServesTheReport",
                "NeverStoredTests.OutputCaching_DoesNotServeAReport_ThatSomethingElseHasStored",
                "NeverStoredTests.ResponseCaching_NeitherStoresNorServesTheReport_ThoughTheAppMakesEverythingPublic"]),
        ("page-policy",
            ["PageFilesTests.Page_ForbidsEverythingThatIsNotItsOwn",
                "PageTests.Page_WorksUnderItsPolicy_WithoutErrors_AndNeverLeavesItsOrigin", "PageTests.Names_AreText_WhateverTheyHold"]),
        ("no-openapi", ["ExposedAppTests.ApiDescriptions_DoNotShowTheReport"]),
        ("wrong-method", ["HostileRequestTests.WrongMethod_GetsAStatusThatSaysWhichIsRight"]),
        ("query-and-accept",
            ["HostileRequestTests.QueryString_GetsAReport_WhateverItSays",
                "HostileRequestTests.Accept_GetsThePageOrTheReport_WhateverItSays"]),
        ("faults", ["InjectedFaultsTests.Host_AnswersEverythingRight_WhereAPlaceFails"]),
        ("lifeline-scripts",
            ["LifelineTests.Lifeline_IsReadByScripts_OfItsOwnPageAndTheApplicationsAlone",
                "LifelinePageTests.OpenPage_GoesOnFromTheLifeline_WhileThePoolIsStarved"]),
        ("lifeline-foreign-page",
            ["LifelineTests.Lifeline_IsReadByScripts_OfItsOwnPageAndTheApplicationsAlone",
                "LifelinePageTests.Lifeline_IsClosed_ToAPageOfAnotherOrigin"]),
        ("lifeline-changes-nothing", ["LifelineRequestTests.Parse_AnswersPlainLocalRequestsAlone"]),
        ("lifeline-size",
            ["LifelineRequestTests.Parse_RefusesAHeadThatDoesNotEnd", "LifelineCrowdTests.Lifeline_DropsWhoSendsTooMuch_WithoutGrowing"]),
        ("lifeline-connections", ["LifelineCrowdTests.Lifeline_AnswersOthers_WhileAThousandConnectionsSayNothing"]),
        ("lifeline-time", ["LifelineFaultsTests.Caller_IsDropped_WhoSaysNothingForTwoSeconds"]),
        ("lifeline-descriptors", ["LifelineFaultsTests.Thread_PausesBetweenAttempts_WhenTheProcessHasNoDescriptorsLeft"]),
        ("snapshot-socket", ["DiagnosticsSocketTests.PlantedSocket_IsNotAsked"]),
        ("snapshot-listener", ["DiagnosticsSocketTests.Socket_IsNotAsked_WhenAnotherProcessListens"]),
        ("snapshot-patience",
            ["DiagnosticsSocketTests.Socket_IsGivenUp_WhenItAcceptsNothingAndItsQueueIsFull",
                "DiagnosticsSocketTests.Socket_IsGivenUp_WhenItAcceptsAndNeverAnswers"]),
        ("snapshot-bounds",
            ["DiagnosticsSocketTests.EndlessStream_IsGivenUp_AfterSoManyBytes",
                "DiagnosticsSocketTests.EndlessStream_IsGivenUp_AfterSomeTime"]),
        ("snapshot-windows",
            ["SnapshotTests.Snapshot_NamesTheLineThatSleeps_EachTime", "WineTests.Program_PassesTheTests_OnWindowsRuntime"]),
        ("report-contents", ["SourceRootTests.File_IsToldFromTheProjectsRoot"]),
        ("report-contents-in-development",
            ["ReportContentsTests.Stacks_AreShown_InDevelopmentAlone", "SourceFileTests.Line_IsNotShown_WhenTheFileIsAnother"]),
        ("report-holds-no-request", ["HostileRequestTests.Report_HoldsNothingThatACallerSent"]),
        ("attach-can-be-disabled", ["RefusalTests.SwitchedOffDiagnostics_AreRefused"]),
        ("attach-reads-the-package", ["AttachTests.AppWithPackage_IsReadThroughItsOwnReport"]),
        ("attach-leaves", ["AttachTests.Probe_Detaches_WhenTheToolIsKilled", "AttachTests.KeptProbe_Stays_UntilItIsDetached"]),
        ("command-environment", ["PermissionTests.Environment_IsListedByCheckAndRefusedByRun_UnlessAllowed"]),
        ("command-certificates",
            ["TransportTests.Certificate_IsRefused_UnlessInsecure", "TransportTests.Certificate_IsRefused_WhenOnlyTheSessionWouldTakeIt"]),
        ("command-redirects", ["PermissionTests.Redirect_IsAFailureAndNotFollowed_WhenItLeavesThem"]),
        ("command-secrets", ["SecretsTests.Secrets_AreInNoOutput_OfAnyForm", "SafeTextTests.ControlCharacter_IsReplaced"]),
    ];

    [Fact]
    public void Page_HasThePromisesListedHere_AndNoOthers() =>
        Blocks().SelectMany(block => block.Ids).ShouldBe(s_promises.Select(promise => promise.Id), ignoreOrder: true);

    [Fact]
    public void Promise_HasOneIdAndAtMostTwoSentences() =>
        Blocks().Where(block => block.IsPromise && (block.Ids.Count != 1 || block.Sentences > 2)).Select(block => block.Text).ShouldBeEmpty();

    // Otherwise a promise could hide in the text around the lists.
    [Fact]
    public void Section_HasAtMostTwoSentencesThatPromiseNothing() =>
        Blocks().Where(block => !block.IsPromise).GroupBy(block => block.Section)
            .Where(section => section.Sum(block => block.Sentences) > 2).Select(section => section.Key).ShouldBeEmpty();

    [Fact]
    public void Promise_NamesATest() => s_promises.ShouldAllBe(promise => promise.Tests.Length > 0);

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

    private static List<PromisePage.Block> Blocks() =>
        [.. PromisePage.Read(File.ReadAllText(Path.Combine(Repository.Folder, "SECURITY.md")))];

    private static bool Exists(Dictionary<string, string> classes, string test) =>
        test.Split('.') is [var type, var method] && classes.TryGetValue(type, out var code)
            && Regex.IsMatch(code, $@"public (async Task|Task|void) {method}\(");
}
