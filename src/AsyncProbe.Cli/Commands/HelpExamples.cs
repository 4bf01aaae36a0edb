namespace AsyncProbe.Cli.Commands;

/// <summary>The most common uses of a command, at the end of its help.</summary>
internal static class HelpExamples
{
    private static readonly Dictionary<string, string[]> s_examples = new(StringComparer.Ordinal)
    {
        ["run"] =
        [
            "asyncprobe run http://127.0.0.1:5080/values/delay",
            "asyncprobe run orders.websurge -t 20 -s 30 -o report.html",
            "asyncprobe run orders.websurge --threshold 'p(95)<500'",
            "asyncprobe run orders.websurge --rate 10,50,100",
        ],
        ["compare"] = ["asyncprobe compare before.websurge after.websurge", "asyncprobe compare monday.json tuesday.json -o change.html"],
        ["check"] = ["asyncprobe check orders.websurge"],
        ["import"] =
        [
            "asyncprobe import orders.http -o orders.websurge",
            "asyncprobe import http://127.0.0.1:5080/openapi/v1.json -o orders.websurge",
        ],
        ["export"] = ["asyncprobe export orders.websurge -o orders.jmx"],
        ["watch"] = ["asyncprobe watch http://127.0.0.1:5080", "asyncprobe watch http://127.0.0.1:5080 --lifeline 5099"],
        ["report"] =
        [
            "asyncprobe report http://127.0.0.1:5080",
            "asyncprobe report http://127.0.0.1:5080 -o blocked.sarif",
        ],
        ["observe"] =
        [
            "asyncprobe observe http://10.0.0.1:8080 http://10.0.0.2:8080 -s 30",
            "asyncprobe observe http://127.0.0.1:5080 --live",
        ],
        ["look"] = ["asyncprobe look 4242", "asyncprobe look Shop.Api -s 10"],
        ["attach"] = ["asyncprobe attach Shop.Api", "asyncprobe attach 4242 -s 30 -o incident.html"],
        ["detach"] = ["asyncprobe detach Shop.Api"],
        ["start"] = ["asyncprobe start -- dotnet run", "asyncprobe start -o report.html -- dotnet Shop.Api.dll"],
    };

    public static IReadOnlyList<string> Get(string command) => s_examples.GetValueOrDefault(command, []);
}
