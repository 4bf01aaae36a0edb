using AsyncProbe.Apps.Tests.Running;

namespace AsyncProbe.Apps.Tests.Zoo;

/// <summary>Loads the zoo in one setting and judges everything that AsyncProbe says about it.</summary>
/// <param name="Table">The count of what is true.</param>
/// <param name="Score">Everything that was compared.</param>
/// <param name="Wrong">What is wrong, except for what a crowded machine hides.</param>
internal sealed record ZooRun(ZooTable Table, Score Score, IReadOnlyList<Finding> Wrong)
{
    public static async Task<ZooRun> RunAsync(ZooApp app, AppSetting setting)
    {
        await using var process = await AppProcess.StartAsync(app.Name, setting);
        var load = new Load(process.Client);
        await load.RunAsync(await app.CallsAsync(process, load, setting));
        var report = await process.ReportAsync(load.Sent.Values.Sum());
        var truths = app.Truths().Select(t => t with { Requests = load.Sent[t.Endpoint] }).ToList();
        ZooRecording.Write(setting, report, truths);
        var evidence = new Evidence
        {
            Setting = new Setting { IsDevelopment = setting.IsDevelopment, HasSnapshots = setting.HasSnapshots },
            Report = report,
            Answers = load.Answers,
            Log = process.Output,
        };
        var reported = new Reported(report);
        var score = Judge.Try(truths, evidence);
        return new ZooRun(
            ZooTable.Of(truths, reported, evidence.Setting), score,
            [.. score.Findings.Where(f => !IsWithoutLine(f) && !IsOfTwoKinds(f, truths) && !Crowd.Hides(reported.Find(f.Endpoint)?.Json, f))]);
    }

    // The method without a line is true, where libraries are inlined into it. ZooTable counts how often that happens.
    private static bool IsWithoutLine(Finding finding) => finding.Aspect == Aspect.Line && !finding.Got.Contains(".cs:", StringComparison.Ordinal);

    // A library may wait in two ways beneath one line of the application.
    private static bool IsOfTwoKinds(Finding finding, IEnumerable<EndpointTruth> truths) =>
        finding is { Aspect: Aspect.Contradiction, Expected: "one line, one kind" }
            && truths.Single(t => t.Endpoint == finding.Endpoint).Sites.GroupBy(s => s.Text)
                .Any(g => g.Count() > 1 && finding.Got.StartsWith(g.Key, StringComparison.Ordinal));
}
