using System.Globalization;
using System.Text;

namespace AsyncProbe.Cli.Sessions.Export;

/// <summary>Writes a Locust file: a function for each request, and a user that sends them in the session's order.</summary>
internal sealed class LocustWriter
{
    private readonly ExportPlan _plan;
    private readonly List<string> _losses;
    private readonly StringBuilder _text = new();

    private LocustWriter(ExportPlan plan)
    {
        _plan = plan;
        _losses =
        [
            .. plan.Losses,
            .. ExportComment.LossesOfEngine(plan),
            .. plan.Requests.Where(request => request.Inactive).Select(request => $"The inactive request \"{request.Title}\"."),
        ];
    }

    public static ExportedFile Write(ExportPlan plan) => new LocustWriter(plan).Write();

    private ExportedFile Write()
    {
        foreach (var line in ExportComment.Lines(_plan, _losses))
        {
            Line($"# {line}");
        }

        Line("# Run: locust -f THIS --headless. What is typed (--host, --users, --run-time) wins over this file.");
        Line("import json");
        Line("import os");
        Line("import random");
        Line("import sys");
        Line("from urllib.parse import urlsplit");
        Line("");
        Line("from locust import HttpUser, constant, events, task");
        Line("from requests.structures import CaseInsensitiveDict");
        Line("");
        WriteVariables();
        WriteDefaults();
        var tokens = _plan.ActiveRequests.Any(request => request.Rules.Count > 0);
        Line((tokens ? LocustParts.Tokens : "") + LocustParts.Sending(_plan.Options.TrackPerSessionCookies, tokens));

        var active = _plan.ActiveRequests.ToList();
        for (var i = 0; i < active.Count; i++)
        {
            Write(active[i], i);
        }

        WriteUser(active);
        return new(_text.ToString(), _losses);
    }

    private void WriteVariables()
    {
        Line("VARIABLES = {");
        foreach (var variable in _plan.Variables)
        {
            var value = variable.Value is { } text
                ? PythonText.Literal(text)
                : $"os.environ.get({PythonText.Literal(variable.Name.Trim('%'))}, {PythonText.Literal(variable.AsWritten)})";
            Line($"    {PythonText.Literal(variable.Name)}: {value},");
        }

        Line("}");
        Line(string.Create(CultureInfo.InvariantCulture, $"TIMEOUT = {_plan.Options.RequestTimeout.TotalSeconds}"));
        Line("");
    }

    /// <summary>Not for workers: a worker gets these settings from its master and rejects a run time of its own.</summary>
    private void WriteDefaults()
    {
        Line("");
        Line("@events.init_command_line_parser.add_listener");
        Line("def set_defaults(parser):");
        Line("    if \"--worker\" not in sys.argv:");
        Line(
            string.Create(
                CultureInfo.InvariantCulture,
                $"        parser.set_defaults(num_users={_plan.Threads}, spawn_rate={_plan.Threads}, run_time=\"{_plan.Seconds}s\")"));
        Line("");
    }

    private void Write(ExportRequest request, int index)
    {
        Line("");
        Line(string.Create(CultureInfo.InvariantCulture, $"def request_{index + 1}(user):"));
        if (request.Rules.Count > 0)
        {
            Line(
                $"    rules = [{string.Join(", ", request.Rules.Select(rule => $"({PythonText.Literal(rule.Kind.ToString())}, {PythonText.Literal(rule.Lookup)}, {PythonText.Literal(rule.Property)})"))}]");
        }

        // Relative to the host, so that --host can change it.
        var url = PythonText.Expression(request.PathAndQuery);
        Line("    send(");
        Line("        user,");
        Line($"        {PythonText.Literal(request.Verb)},");
        Line($"        {(request.Site == _plan.Sites[0] ? url : $"{PythonText.Literal(request.Site)} + {url}")},");
        Line($"        name={PythonText.Literal(request.Title)},");
        if (request.Headers.Count > 0)
        {
            Line("        headers=[");
            foreach (var header in request.Headers)
            {
                Line($"            ({PythonText.Literal(header.Name)}, {PythonText.Expression(header.Value)}),");
            }

            Line("        ],");
        }

        if (request.HasBody)
        {
            Line(
                $"        data={(request.Bytes is { } bytes ? PythonText.Literal(bytes) : $"({PythonText.Expression(request.Body!)}).encode(\"utf-8\")")},");
        }

        if (request.Rules.Count > 0)
        {
            Line("        rules=rules,");
        }

        Line("    )");
        Line("");
    }

    private void WriteUser(List<ExportRequest> active)
    {
        var first = Enumerable.Range(0, active.Count).Where(i => !_plan.Options.RandomizeRequests || active[i].KeepsItsPlace).ToList();
        Line("");
        Line("class SessionUser(HttpUser):");
        Line($"    host = {PythonText.Literal(_plan.Sites.Count > 0 ? _plan.Sites[0] : "")}");
        Line(string.Create(CultureInfo.InvariantCulture, $"    wait_time = constant({_plan.DelayMs / 1000.0})"));
        Line("");
        Line("    def on_start(self):");
        Line("        self.tokens = {}");
        Line("        self.at = 0");
        Line($"        rest = [{Functions(Enumerable.Range(0, active.Count).Except(first))}]");
        Line("        random.shuffle(rest)");
        Line($"        self.order = [{Functions(first)}] + rest");
        Line("");
        Line("    @task");
        Line("    def next_request(self):");
        Line("        request = self.order[self.at % len(self.order)]");
        Line("        self.at += 1");
        Line("        request(self)");

        static string Functions(IEnumerable<int> indexes) =>
            string.Join(", ", indexes.Select(i => string.Create(CultureInfo.InvariantCulture, $"request_{i + 1}")));
    }

    private void Line(string line) => _text.Append(line.ReplaceLineEndings("\n")).Append('\n');
}
