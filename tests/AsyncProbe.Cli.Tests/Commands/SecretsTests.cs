namespace AsyncProbe.Cli.Tests.Commands;

/// <summary>Runs a session full of secrets through every command and every form of output.</summary>
[SideBySide]
public class SecretsTests
{
    [Fact]
    public async Task Secrets_AreInNoOutput_OfAnyForm()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;
        using var folder = new TemporaryFolder();
        var site = server.Url.Replace("://", "://me:hush@", StringComparison.Ordinal);
        var session = folder.Write("s.websurge", $$"""
            GET {{site}}/plain?api_key=hush&sig=hush HTTP/1.1
            Websurge-Request-Name: Login with password=hush, Bearer hush-hush
            Authorization: Bearer hush-hush
            Cookie: a=hush
            X-Api-Key: hush

            -----

            GET {{site}}/status/404?access_token=hush HTTP/1.1

            -----

            PO?T http://me:hush@nowhere/?secret=hush HTTP/1.1
            Websurge-Request-Inactive: 1
            hush
            Bearer hush-hush:

            -----

            """);
        var broken = folder.Write("broken.websurge", "GET me:hush@host?token=hush Bearer hush-hush\r\n");
        string[] files = [folder.File("r.html"), folder.File("r.md"), folder.File("r.xml"), folder.File("r.json")];
        var (saved, compared) = (folder.File("saved.json"), folder.File("c.html"));
        string[] load = ["--requests", "10", "-w", "0", "-H", "X-Token: hush"];

        using var nobody = new RefusingPort();
        Tool[] tools =
        [
            await Tool.RunAsync("check", Valid(session, folder)),
            await Tool.RunAsync("check", session, broken),
            await Tool.RunAsync("run", broken),
            await Tool.RunAsync(
                ["run", Valid(session, folder), .. load, "--save", saved, "--threshold", "p(95)<5000", "--threshold",
                    "name[Login with password=hush, Bearer hush-hush]:rps<0", .. files.SelectMany(file => new[] { "-o", file })]),
            await Tool.RunAsync(["run", Valid(session, folder), .. load, "--json"]),
            await Tool.RunAsync("run", Valid(session, folder), "--rate", "10,20", "-s", "1", "-w", "0", "-o", folder.File("sweep.md")),
            await Tool.RunAsync(["compare", Valid(session, folder), site + "/plain?token=hush", .. load, "--rounds", "1", "-o", compared]),
            await Tool.RunAsync("compare", saved, saved, "--json"),
            await Tool.RunAsync(
                "compare", nobody.Url + "/a", nobody.Url + "/b", "--server",
                "true --password hush API_TOKEN=hush; echo Password=hush; echo Cookie: hush; false"),
            await Tool.RunAsync("run", $"http://me:hush@{nobody.Authority}/?token=hush"),
            await Tool.RunAsync("run", Valid(session, folder), "--base-url", "ftp://me:hush@x"),
            await Tool.RunAsync("report", site + "/nothing?key=hush"),
            await Tool.RunAsync("report", site),
            await Tool.RunAsync("watch", site, "--times", "1"),
        ];

        tools[0].ExitCode.ShouldBe(0, tools[0].Messages);
        tools[3].ExitCode.ShouldBe(99, tools[3].Messages);
        server.Requests.ShouldContain(request => request.Headers.GetValueOrDefault("Authorization") == "Bearer hush-hush");
        IEnumerable<string> texts =
        [
            .. tools.SelectMany(tool => new[] { tool.Results, tool.Messages }),
            .. ((string[])[.. files, saved, compared, folder.File("sweep.md")]).Select(File.ReadAllText),
        ];
        texts.ShouldAllBe(text => !text.Contains("hush"));
        texts.ShouldContain(text => text.Contains("***"));
    }

    /// <summary>The same session without the block that can't be sent.</summary>
    private static string Valid(string session, TemporaryFolder folder) =>
        folder.Write("valid.websurge", File.ReadAllText(session).Split("PO?T")[0]);
}
