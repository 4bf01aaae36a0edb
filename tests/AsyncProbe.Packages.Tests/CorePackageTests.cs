using System.IO.Compression;
using System.Reflection.PortableExecutable;
using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace AsyncProbe.Packages.Tests;

/// <summary>The package as a new user sees it: packed, added to an empty web app with the README's three lines, run, and called.</summary>
[Collection(Clone.Collection)]
public sealed class CorePackageTests(Clone clone) : IDisposable
{
    private static readonly string[] s_frameworks = ["net8.0", "net10.0"];

    private readonly string _folder = Directory.CreateTempSubdirectory("asyncprobe-package-").FullName;

    // Uses its own cache; otherwise a stale package of the same version would be tested.
    private IReadOnlyDictionary<string, string> Surroundings => new Dictionary<string, string>
    {
        ["NUGET_PACKAGES"] = Path.Combine(_folder, "cache"),
        ["DOTNET_CLI_TELEMETRY_OPTOUT"] = "1",
    };

    [Fact]
    public async Task Package_WorksInAnEmptyWebApp_WithTheReadmesThreeLines()
    {
        CheckContents();

        var app = await MakeAppAsync(clone.Packages);
        var port = FreePort.Take();
        using var process = Commands.Start(
            app,
            new Dictionary<string, string> { ["ASPNETCORE_ENVIRONMENT"] = "Development", ["ASPNETCORE_URLS"] = $"http://127.0.0.1:{port}" },
            "dotnet",
            Path.Combine("bin", "Debug", "net10.0", "shop.dll"));
        try
        {
            using var response = await AskAsync(new Uri($"http://127.0.0.1:{port}/"));

            int.Parse(
                response.Headers.GetValues("X-ThreadPool-Available-Workers").Single(), System.Globalization.CultureInfo.InvariantCulture)
                .ShouldBeGreaterThan(0);
            response.Headers.Contains("X-ThreadPool-Available-IO").ShouldBeTrue();
            response.Headers.Contains("X-AsyncProbe-Held-Ms").ShouldBeTrue();
            using var report = await AskAsync(new Uri($"http://127.0.0.1:{port}/_threadpool"));
            (await report.Content.ReadAsStringAsync()).ShouldContain("\"schema\":1");
        }
        finally
        {
            process.Kill(entireProcessTree: true);
            await process.WaitForExitAsync();
        }
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    // Half a megabyte of documentation for code that users can't call would be the largest file in the package.
    private static void CheckDocs(ZipArchive zip, string framework)
    {
        using var docs = zip.GetEntry($"lib/{framework}/AsyncProbe.xml").ShouldNotBeNull().Open();
        var api = new[] { "Shipped", "Unshipped" }
            .SelectMany(part => File.ReadLines(Path.Combine(Repository.Folder, $"src/AsyncProbe/PublicAPI.{part}.txt")))
            .Where(line => line.Length > 0 && line[0] != '#')
            .ToList();
        var types = api.Where(line => !line.Contains("->", StringComparison.Ordinal)).Select(line => "T:" + line);
        var values = api.Where(line => line.Contains(" = ", StringComparison.Ordinal) && !line.Contains('(', StringComparison.Ordinal))
            .Select(line => "F:" + line.Split(' ')[0]);
        var documented = XDocument.Load(docs).Descendants("member").Select(member => member.Attribute("name")!.Value).ToList();

        documented.Where(name => name[0] == 'T').ShouldBe(types, ignoreOrder: true);
        documented.Where(name => name[0] == 'F').ShouldBe(values, ignoreOrder: true);
    }

    private void CheckContents()
    {
        using var zip = ZipFile.OpenRead(clone.Package("AsyncProbe", "nupkg"));
        new[] { "AsyncProbe.nuspec", "README.md", "icon.png" }.ShouldBeSubsetOf(zip.Entries.Select(e => e.FullName));
        using var nuspec = new StreamReader(zip.GetEntry("AsyncProbe.nuspec").ShouldNotBeNull().Open());
        var text = nuspec.ReadToEnd();
        text.ShouldContain("<license type=\"expression\">Apache-2.0</license>");
        text.ShouldNotContain("<dependency ", Case.Sensitive, "the package has no third-party dependency");

        CheckLinks(zip, text);

        using var symbolZip = ZipFile.OpenRead(clone.Package("AsyncProbe", "snupkg"));
        foreach (var framework in s_frameworks)
        {
            CheckDocs(zip, framework);
            symbolZip.GetEntry($"lib/{framework}/AsyncProbe.pdb").ShouldNotBeNull();
            CheckAssembly(zip, framework);
        }
    }

    private void CheckAssembly(ZipArchive zip, string framework)
    {
        var extracted = Path.Combine(_folder, $"AsyncProbe.{framework}.dll");
        zip.GetEntry($"lib/{framework}/AsyncProbe.dll").ShouldNotBeNull().ExtractToFile(extracted);
        using var image = new PEReader(File.OpenRead(extracted));
        image.ReadDebugDirectory().ShouldContain(entry => entry.Type == DebugDirectoryEntryType.Reproducible, "the build is deterministic");
    }

    // The project has no public address so far. A package with an empty or dead link would look broken.
    private static void CheckLinks(ZipArchive package, string nuspec)
    {
        Regex.Matches(nuspec, "(?:url=\"|<\\w*Url>)([^\"<]*)").Select(m => m.Groups[1].Value)
            .ShouldAllBe(url => url.StartsWith("https://", StringComparison.Ordinal));
        using var reader = new StreamReader(package.GetEntry("README.md").ShouldNotBeNull().Open());
        var readme = reader.ReadToEnd();
        Regex.Matches(readme, @"\]\(([^)]*)\)").Select(m => m.Groups[1].Value)
            .ShouldAllBe(link => link.StartsWith("https://", StringComparison.Ordinal));
        readme.ShouldContain("app.MapAsyncProbe();");
        readme.ShouldContain("| CI, the command, the sessions |", Case.Sensitive, "words of links stay");
    }

    private async Task<string> MakeAppAsync(string packages)
    {
        var app = Directory.CreateDirectory(Path.Combine(_folder, "shop")).FullName;
        await Commands.RunAsync(app, Surroundings, "dotnet", "new", "web", "--no-restore");
        await File.WriteAllTextAsync(
            Path.Combine(app, "nuget.config"),
            $"<configuration><packageSources><clear /><add key=\"packed\" value=\"{packages}\" /></packageSources></configuration>");
        await Commands.RunAsync(app, Surroundings, "dotnet", "add", "package", "AsyncProbe");

        var program = await File.ReadAllTextAsync(Path.Combine(app, "Program.cs"));
        const string Build = "var app = builder.Build();";
        await File.WriteAllTextAsync(
            Path.Combine(app, "Program.cs"),
            program.Replace(
                Build, $"builder.Services.AddAsyncProbe();{Build}app.UseAsyncProbe();app.MapAsyncProbe();", StringComparison.Ordinal));
        await Commands.RunAsync(app, Surroundings, "dotnet", "build", "-nodeReuse:false");
        return app;
    }

    private static async Task<HttpResponseMessage> AskAsync(Uri address)
    {
        using var client = new HttpClient();
        HttpResponseMessage? answer = null;
        await Eventually.TrueAsync(
            async () =>
            {
                try
                {
                    answer = await client.GetAsync(address);
                    return true;
                }
                catch (HttpRequestException)
                {
                    return false;
                }
            },
            $"{address} does not answer");
        return answer!;
    }
}
