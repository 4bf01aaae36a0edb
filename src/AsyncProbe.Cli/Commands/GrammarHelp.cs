using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using AsyncProbe.Cli.Thresholds;

namespace AsyncProbe.Cli.Commands;

/// <summary>Adds the threshold grammar and the exit codes to the help, because build scripts need both.</summary>
internal sealed class GrammarHelp(HelpAction usual) : SynchronousCommandLineAction
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
            if (!output.ResultsAreTerminal)
            {
                usual.MaxWidth = int.MaxValue;
            }

            option.Action = new GrammarHelp(usual);
        }
    }

    public override int Invoke(ParseResult parseResult)
    {
        var exitCode = usual.Invoke(parseResult);
        var output = parseResult.InvocationConfiguration.Output;
        if (parseResult.CommandResult.Command.Name is "run" or "compare" or "observe" or "report")
        {
            output.WriteLine("Thresholds (EBNF):");
            output.WriteLine("  " + Threshold.Grammar.ReplaceLineEndings(Environment.NewLine + "  "));
            output.WriteLine();
        }

        if (HelpExamples.Get(parseResult.CommandResult.Command.Name) is { Count: > 0 } examples)
        {
            output.WriteLine("Examples:");
            foreach (var example in examples)
            {
                output.WriteLine("  " + example);
            }

            output.WriteLine();
        }

        output.WriteLine(ExitCodes);
        return exitCode;
    }
}
