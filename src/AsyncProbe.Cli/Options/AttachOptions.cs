using System.CommandLine;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Processes;
using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Options;

/// <summary>The options that <c>attach</c> and <c>start</c> share: those of <c>observe</c>, and what the probe should do.</summary>
internal sealed class AttachOptions(string defaultSeconds)
{
    private readonly Option<int?> _seconds = NumberOption.Create(
        "--seconds", "-s", 1, SessionLimits.Seconds, $"Seconds to observe. Default: {defaultSeconds}");

    private readonly Option<bool> _headers = new("--headers") { Description = "Add the X-AsyncProbe headers to responses." };
    private readonly ThresholdOption _thresholds = ThresholdOption.OfServers();
    private readonly BaselineOption _baseline = new();
    private readonly ReportOptions _report = new();

    public void AddTo(Command command)
    {
        command.Options.Add(_seconds);
        command.Options.Add(_headers);
        command.Options.Add(_thresholds);
        _baseline.AddTo(command);
        _report.AddTo(command, save: false);
    }

    /// <summary>Checks everything that was typed before anything is loaded into a process.</summary>
    public async Task<AttachPlan> ReadAsync(ParseResult parsed, Output output, CancellationToken interrupt)
    {
        var target = _report.Target(parsed, output);
        var thresholds = _thresholds.Read(parsed);
        var baseline = await _baseline.ReadAsync(parsed, thresholds, interrupt);
        return new(target, thresholds, baseline, parsed.GetValue(_seconds), new AttachSettings(Headers: parsed.GetValue(_headers)));
    }
}
