using System.Globalization;
using System.Xml.Linq;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Views;

/// <summary>Writes thresholds as JUnit test cases, which build servers can show.</summary>
internal static class JunitReport
{
    public static string Create(string suite, IReadOnlyList<ThresholdResult> thresholds, double seconds, IEnumerable<string> notes)
    {
        var root = new XElement(
            "testsuites",
            new XElement(
                "testsuite",
                new XAttribute("name", SafeText.From($"asyncprobe {suite}")),
                new XAttribute("tests", thresholds.Count),
                new XAttribute("failures", thresholds.Count(threshold => !threshold.Holds)),
                new XAttribute("errors", 0),
                new XAttribute("time", seconds.ToString("0.###", CultureInfo.InvariantCulture)),
                thresholds.Select(threshold => Case(suite, threshold)),
                Notes(notes)));
        return new XDeclaration("1.0", "utf-8", null) + Environment.NewLine + root + Environment.NewLine;
    }

    private static XElement Case(string suite, ThresholdResult threshold)
    {
        var test = new XElement(
            "testcase", new XAttribute("classname", SafeText.From(suite)), new XAttribute("name", SafeText.From(threshold.Expression)),
            new XAttribute("time", 0));
        if (!threshold.Holds)
        {
            test.Add(
                new XElement(
                    "failure",
                    new XAttribute("message", SafeText.From($"{threshold.Expression} does not hold: {ThresholdText.Actual(threshold)}"))));
        }

        test.Add(Notes(threshold.Note is null ? [] : [ThresholdText.Actual(threshold)]));
        return test;
    }

    /// <summary>Warnings, which build servers show next to the tests.</summary>
    private static XElement? Notes(IEnumerable<string> notes)
    {
        var text = string.Join(Environment.NewLine, notes.Select(SafeText.From));
        return text.Length == 0 ? null : new XElement("system-out", text);
    }
}
