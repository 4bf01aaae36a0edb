namespace AsyncProbe.Packages.Tests.Printed;

/// <summary>The steps of a newcomer, in the order of the documents. Each line is printed in one of them.</summary>
internal static class Journeys
{
    private const string OnThePath = "export PATH=\"$PATH:$HOME/.dotnet/tools\"                                         # unless it is on "
        + "the path already";
    private const string Remark = "# after dotnet pack, as above";

    /// <summary>Starts the sample; the script continues once the sample answers.</summary>
    public const string Serve = "dotnet run --project src/AsyncProbe.Sample";

    /// <summary>Run in the copy, while the sample runs.</summary>
    public static IReadOnlyList<string> Sample { get; } =
    [
        "curl -si localhost:5080/Customers/SyncGet200MsDelay",
        """curl -s localhost:5080/_threadpool | jq -r '.endpoints[] | "\(.endpoint): \(.verdict). \(.advice)"'""",
        "curl -s -X POST localhost:5080/_threadpool/snapshot",
        "curl -si http://127.0.0.1:5080/Customers/SyncGetFirstOfTen  | grep -i -e blocked -e took",
        "curl -si http://127.0.0.1:5080/Customers/AsyncGetFirstOfTen | grep -i -e blocked -e took",
        """curl -s http://127.0.0.1:5080/sins | jq -r '.[] | select(.isInAll) | .route' | while read -r r; do curl -s "http://127.0.0.1:5080$r"; done""",
        "curl -s http://127.0.0.1:5080/_threadpool?endpoint=/sins | jq '.sites[] | {kind, at, endpoints}'",
        "curl -s http://127.0.0.1:5080/jobs/orders/sync",
        "curl -s http://127.0.0.1:5080/_threadpool | jq '.operations[] | {endpoint, requests, blockedMs}'",
    ];

    /// <summary>Run in the copy, once the packages are built.</summary>
    public static IReadOnlyList<string> Command { get; } =
    [
        "dotnet tool install --global AsyncProbe.Cli --add-source artifacts/packages     " + Remark,
        OnThePath,
        "dotnet build -c Release src/AsyncProbe.Sample -o out",
        "asyncprobe compare websurge/customers-sync.websurge websurge/customers-async.websurge -s 5 --rounds 1 --server \"dotnet "
            + "out/AsyncProbe.Sample.dll\"",
    ];

    /// <summary>Run in a folder with the reader's own session, while the sample runs.</summary>
    public static IReadOnlyList<string> OwnSession { get; } =
    [
        "asyncprobe run session.websurge --threshold \"p(95)<500\" -o report.html",
        "asyncprobe check session.websurge",
        "asyncprobe import http://127.0.0.1:5080/swagger/v1/swagger.json -o sample.websurge --operation \"POST /values\"",
        "asyncprobe run \"curl http://127.0.0.1:5080/values/delay -H 'Accept: application/json'\" --once",
        "asyncprobe report http://127.0.0.1:5080",
        "asyncprobe report http://127.0.0.1:5080 -o blocked.asyncprobe.json",
    ];

    /// <summary>Run in an app's folder, once the packages are built.</summary>
    public static IReadOnlyList<string> App { get; } =
    [
        "dotnet nuget add source ~/asyncprobe/artifacts/packages --name asyncprobe",
        "dotnet add package AsyncProbe",
        "dotnet add package AsyncProbe.StackSnapshots",
        "dotnet add package AsyncProbe.Analyzers",
    ];

    /// <summary>Undoes the steps in the app.</summary>
    public static IReadOnlyList<string> Removal { get; } =
    [
        "dotnet remove package AsyncProbe.Analyzers",
        "dotnet remove package AsyncProbe.StackSnapshots",
        "dotnet remove package AsyncProbe",
        "dotnet tool uninstall --global AsyncProbe.Cli",
        "dotnet nuget remove source asyncprobe",
        "rm -rf ~/.nuget/packages/asyncprobe*",
    ];

    /// <summary>Run first, in the copy.</summary>
    public const string Pack = "dotnet pack -c Release";

    /// <summary>All commands that are run.</summary>
    public static IReadOnlyList<string> All { get; } = [Pack, Serve, .. Sample, .. Command, .. OwnSession, .. App, .. Removal];
}
