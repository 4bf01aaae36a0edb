using System.CommandLine;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Options;

/// <summary>The options that say where results go, shared by <c>run</c> and <c>compare</c>.</summary>
internal sealed class ReportOptions
{
    private readonly Option<bool> _json = new("--json") { Description = "Print only JSON to stdout." };
    private readonly Option<string[]> _files = new("-o", "--output")
    {
        HelpName = "FILE",
        Description = "Also write the result to a file: .json, .html, .md, .xml for JUnit, or .sarif. Repeatable.",
    };
    private readonly Option<string?> _save = new("--save")
    {
        HelpName = "RUN",
        Description = "Save the result (JSON) for a later --baseline or, if it is a run at one rate, for a later compare.",
    };
    private readonly FindingOptions _findings = new();
    private readonly Option<bool> _quiet = CommonOptions.Quiet();
    private readonly Option<bool> _noColor = CommonOptions.NoColor();

    public void AddTo(Command command, bool save = true)
    {
        foreach (var option in (Option[])[_json, _files, .. save ? [_save] : Array.Empty<Option>(), _quiet, _noColor])
        {
            command.Options.Add(option);
        }

        _findings.AddTo(command);
    }

    /// <summary>Checks everything that could go wrong with writing the result before the load is run.</summary>
    public ReportTarget Target(ParseResult parsed, Output output)
    {
        output.NoColor |= parsed.GetValue(_noColor);
        var files = parsed.GetValue(_files) ?? [];
        foreach (var file in files)
        {
            if (!ResultFile.IsKnown(file))
            {
                throw new CommandException(ExitCode.Usage, $"-o {file}: the extension must be .json, .html, .md, .xml or .sarif.");
            }
        }

        foreach (var file in files.Append(parsed.GetValue(_save)).OfType<string>())
        {
            OutputFile.Check(file);
        }

        return new ReportTarget(
            output, parsed.GetValue(_json), files, parsed.GetValue(_save), _findings.Target(parsed), parsed.GetValue(_quiet));
    }
}
