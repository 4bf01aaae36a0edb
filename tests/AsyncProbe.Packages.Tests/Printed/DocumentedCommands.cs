namespace AsyncProbe.Packages.Tests.Printed;

/// <summary>Every command that a document prints, and what the tests do with it.</summary>
internal static class DocumentedCommands
{
    /// <summary>Commands that are not run, and why. Each entry stands for the document lines that begin with it.</summary>
    public static IReadOnlyList<(string Command, string Reason)> Exceptions { get; } =
    [
        ("git clone", "fetches the repository; the tests run in a copy of this one"),
        ("cd asyncprobe", "enters the clone; the tests run in their copy"),
        ("dotnet build", "builds all projects of the repository, which the tests' own build has just done"),
        ("dotnet test", "is the test run itself"),
        (".ci/run", "is the test run itself"),
        ("make check", "is a part of the test run itself"),
        ("tests/full", "is the rest of the test run itself"),
        ("tests/accept", "would accept whatever the texts are; ApprovedTextsTests compare them"),
        ("git diff", "shows what tests/accept has changed"),
        ("dotnet run --project src/AsyncProbe.Sample -- --ConnectionStrings:Postgres",
            "needs PostgreSQL; PostgresTests start the sample so"),
        ("dotnet run --project src/AsyncProbe.Sample     ", "is the README's, with a remark"),
        ("dotnet run -c Release --project src/AsyncProbe.Sample", "is the README's, optimised"),
        ("dotnet tool install --global AsyncProbe.Cli", "is the README's, with another remark, or for the time when a feed has it"),
        ("export PATH=", "is the README's, with another remark"),
        ("asyncprobe compare websurge/values-sleep.websurge websurge/values-delay.websurge websurge/values-cached.websurge -s 5 --rounds 3",
            "takes 75 to 100 s, as its document says; CompareTests run it with one round"),
        ("asyncprobe compare values-sleep.websurge values-delay.websurge -s 5 --rounds 3",
            "takes a minute; CompareTests run it with one round"),
        ("asyncprobe run http://127.0.0.1:5080/values/delay -t 100 -s 20", "takes 22 s; SessionTests run every session for less"),
        ("asyncprobe run http://127.0.0.1:5080/values/delay --rate 5,10,20,50", "takes 48 s; OpenModelTests run rates for less"),
        ("asyncprobe observe http://10.0.0.1:8080", "asks replicas of the reader's; ObserveCommandTests ask some that are there"),
        ("asyncprobe import orders.http", "takes a file of the reader's; ImportCommandTests import some that are there"),
        ("asyncprobe export orders.websurge", "exports the reader's own session; ExportCommandTests export one"),
        ("jmeter -n", "needs JMeter, and a server of the reader's"),
        ("locust -f", "needs Locust, and a server of the reader's"),
        ("asyncprobe run orders.websurge", "runs the reader's own session; BaselineTests and the workflow's test save and compare"),
        ("asyncprobe run orders.postman_collection.json", "takes a collection of the reader's; PostmanImportTests run the sample's own"),
        ("asyncprobe watch", "does not end by itself; WatchTests end it"),
        ("asyncprobe observe http://10.0.0.1:8080", "observes replicas on other machines; ObserveCommandTests observe some on this one"),
        ("asyncprobe import orders.http", "imports the reader's own file; ImportCommandTests import one"),
    ];

    /// <summary>
    /// The commands of a document as printed: every line of a block marked <c>sh</c>, and the lines after a prompt in one marked
    /// <c>console</c>.
    /// </summary>
    public static IReadOnlyList<string> Of(string? document = null) =>
    [
        .. from block in Documents.Blocks(document)
           from line in block.Text.Split('\n')
           let command = block.Language switch
           {
               "sh" => line,
               "console" when line.StartsWith("$ ", StringComparison.Ordinal) => line[2..],
               _ => "",
           }
           where command.Length > 0
           select command,
    ];
}
