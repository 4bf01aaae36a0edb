using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using AsyncProbe.Cli.Options;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Thresholds;
using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Commands;

/// <summary>Adds the threshold grammar and the exit codes to the help, because build scripts need both.</summary>
/// <param name="usual">The help of the library.</param>
/// <param name="width">The terminal's width; without a terminal, lines are not wrapped.</param>
internal sealed class GrammarHelp(HelpAction usual, int width) : SynchronousCommandLineAction
{
    private const string ExitCodes = """
        Exit codes:
          0    done
          2    wrong usage, session or threshold
          3    nothing measured
          4    a threshold needs server figures that are not available
          99   a threshold failed
          130  interrupted (what was measured is still printed)
        """;

    /// <summary>Show help even if the rest of the command line is incomplete.</summary>
    public override bool ClearsParseErrors => true;

    public static void Install(RootCommand root, Output output)
    {
        foreach (var option in root.Options.OfType<HelpOption>())
        {
            var usual = (HelpAction)option.Action!;
            var width = output.ResultsAreTerminal ? output.ResultsWidth ?? usual.MaxWidth : int.MaxValue;

            // Some terminals report a width of 0.
            if (width > 0)
            {
                usual.MaxWidth = width;
            }

            option.Action = new GrammarHelp(usual, width);
        }
    }

    public override int Invoke(ParseResult parseResult)
    {
        var exitCode = usual.Invoke(parseResult);
        var output = parseResult.InvocationConfiguration.Output;
        if (parseResult.CommandResult.Command.Options.Any(option => option is ThresholdOption))
        {
            output.WriteLine("Thresholds (EBNF):");
            foreach (var line in Threshold.Grammar.ReplaceLineEndings("\n").Split('\n'))
            {
                output.WriteLine(Fit(line, indent: 17));
            }

            output.WriteLine();
        }

        if (HelpExamples.Get(parseResult.CommandResult.Command.Name) is { Count: > 0 } examples)
        {
            output.WriteLine("Examples:");
            foreach (var example in examples)
            {
                output.WriteLine(Fit(example, indent: 4));
            }

            output.WriteLine();
        }

        output.WriteLine(ExitCodes);
        return exitCode;
    }

    // The rest of a line that is too long begins under its own text.
    private string Fit(string line, int indent) => WordWrap.Apply("  " + line, width, indent).ReplaceLineEndings();
}
