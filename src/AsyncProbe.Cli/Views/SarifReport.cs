using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Sessions;
using AsyncProbe.Cli.Sites;

namespace AsyncProbe.Cli.Views;

/// <summary>Writes findings as SARIF 2.1.0, which code review tools and editors show at the line.</summary>
internal static class SarifReport
{
    private const string Schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
    private const string Root = "SRCROOT";

    private static readonly JsonSerializerOptions s_options = new()
    {
        WriteIndented = true,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    public static string Create(IReadOnlyList<Finding> findings)
    {
        // A result names a rule both by id and by its index in this list.
        var rules = WaitRule.All.ToList();
        var log = new JsonObject
        {
            ["$schema"] = Schema,
            ["version"] = "2.1.0",
            ["runs"] = new JsonArray(new JsonObject
            {
                ["tool"] = new JsonObject { ["driver"] = Driver(rules) },
                ["automationDetails"] = new JsonObject { ["id"] = "asyncprobe/" },
                ["columnKind"] = "utf16CodeUnits",
                ["originalUriBaseIds"] = new JsonObject { [Root] = new JsonObject { ["description"] = Text("The repository's root.") } },
                ["results"] = new JsonArray([.. findings.Select(finding => Result(finding, rules.IndexOf(finding.Rule)))]),
            }),
        };
        return log.ToJsonString(s_options);
    }

    private static JsonObject Driver(List<WaitRule> rules)
    {
        var driver = new JsonObject
        {
            ["name"] = "asyncprobe",
            ["fullName"] = ToolVersion.Text,
            ["version"] = ToolVersion.Number,
            ["semanticVersion"] = ToolVersion.Number,
            ["rules"] = new JsonArray([.. rules.Select(Rule)]),
        };
        if (ToolVersion.Address is { } address)
        {
            driver["informationUri"] = address;
        }

        return driver;
    }

    private static JsonObject Rule(WaitRule rule) => new()
    {
        ["id"] = rule.Id,
        ["name"] = rule.Name,
        ["shortDescription"] = Text($"A pool thread is blocked: {rule.Kind}."),
        ["fullDescription"] = Text($"Requests hold a thread of the pool here while it does nothing ({rule.Kind}). {rule.Remedy}"),
        ["help"] = Text($"{rule.Remedy} The page /_threadpool/help of the server explains every kind of wait."),
        ["defaultConfiguration"] = new JsonObject { ["level"] = "warning" },
        ["properties"] = new JsonObject
        {
            ["precision"] = "very-high",
            ["problem.severity"] = "warning",
            ["tags"] = new JsonArray("performance", "async", "thread-pool"),
        },
    };

    private static JsonObject Result(Finding finding, int ruleIndex)
    {
        var result = new JsonObject
        {
            ["ruleId"] = finding.Rule.Id,
            ["ruleIndex"] = ruleIndex,
            ["level"] = "warning",
            ["message"] = Text(finding.Sentence),
            ["locations"] = new JsonArray(new JsonObject
            {
                ["physicalLocation"] = new JsonObject
                {
                    ["artifactLocation"] = new JsonObject { ["uri"] = Uri(finding.Path), ["uriBaseId"] = Root },
                    ["region"] = new JsonObject { ["startLine"] = finding.Line },
                },
                ["logicalLocations"] = new JsonArray(
                    new JsonObject { ["fullyQualifiedName"] = SafeText.From(finding.Site.Method), ["kind"] = "function" }),
            }),
            // Code scanning on GitHub uses the first name.
            ["partialFingerprints"] = new JsonObject
            {
                ["primaryLocationLineHash"] = finding.Fingerprint,
                ["asyncprobeSite/v1"] = finding.Fingerprint,
            },
        };
        if (finding.IsNew is { } isNew)
        {
            result["baselineState"] = isNew ? "new" : "unchanged";
        }

        return result;
    }

    private static JsonObject Text(string text) => new() { ["text"] = SafeText.From(text) };

    private static string Uri(string path) => string.Join('/', SafeText.From(path).Split('/').Select(System.Uri.EscapeDataString));
}
