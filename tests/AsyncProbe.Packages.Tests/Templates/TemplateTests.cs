using System.Diagnostics;
using System.Net.Http.Headers;
using System.Text.RegularExpressions;

namespace AsyncProbe.Packages.Tests.Templates;

/// <summary>The three lines in an app from each stock template, and the log at start.</summary>
[Collection(Clone.Collection)]
public sealed partial class TemplateTests(Clone clone)
{
    private const string Packages = """
        <ItemGroup>
            <PackageReference Include="AsyncProbe" Version="1.0.0" />
          </ItemGroup>

        </Project>
        """;

    private static readonly TimeSpan s_timeout = TimeSpan.FromMinutes(1);

    [Fact]
    public Task Log_HoldsNoRiddle_InAStockWebApp() => ShouldHoldNoRiddleAsync("web");

    [Fact]
    [Trait("Category", "Full")]
    public Task Log_HoldsNoRiddle_InTheOtherStockWebApps() => ShouldHoldNoRiddleAsync("webapi", "mvc", "webapp", "blazor");

    private async Task ShouldHoldNoRiddleAsync(params string[] web)
    {
        var folder = Directory.CreateDirectory(Path.Combine(clone.Home, "templates-" + web[0])).FullName;
        await File.WriteAllTextAsync(
            Path.Combine(folder, "nuget.config"),
            $"<configuration><packageSources><add key=\"packed\" value=\"{clone.Packages}\" /></packageSources></configuration>");
        foreach (var template in web.Append("worker"))
        {
            await MakeAsync(folder, template);
        }

        // Blazor's scripts come in a package that apps don't need in order to start.
        await clone.RunAsync(
            folder, null, "set -e\nfor app in */; do dotnet build \"$app\" -nologo -v:q -p:RequiresAspNetWebAssets=false; done");

        foreach (var template in web)
        {
            await ShouldSayWhereThePageIsAsync(Path.Combine(folder, template), template);
        }

        await ShouldReportItsOperationsAsync(Path.Combine(folder, "worker"));
    }

    private async Task MakeAsync(string folder, string template)
    {
        await clone.RunAsync(folder, null, $"dotnet new {template} -o {template} --no-restore");
        var project = Path.Combine(folder, template, template + ".csproj");
        await File.WriteAllTextAsync(
            project, (await File.ReadAllTextAsync(project)).Replace("</Project>", Packages, StringComparison.Ordinal));

        var program = Path.Combine(folder, template, "Program.cs");
        var code = await File.ReadAllTextAsync(program);
        var build = Build().Match(code).Value;
        build.ShouldNotBeEmpty(code);
        var uses = template == "worker" ? "" : "app.UseAsyncProbe();app.MapAsyncProbe();";
        await File.WriteAllTextAsync(
            program, code.Replace(build, $"builder.Services.AddAsyncProbe();{build}{uses}", StringComparison.Ordinal));
        if (template == "worker")
        {
            const string Pause = "await Task.Delay(1000, stoppingToken);";
            var service = Path.Combine(folder, template, "Worker.cs");
            var loop = await File.ReadAllTextAsync(service);
            loop.ShouldContain(Pause);
            await File.WriteAllTextAsync(
                service,
                loop.Replace(
                    Pause,
                    "await Task.Yield();using (AsyncProbe.AsyncProbeOperation.Start(\"import\")) { Task.Delay(100).Wait(); }",
                    StringComparison.Ordinal));
        }
    }

    private async Task ShouldReportItsOperationsAsync(string folder)
    {
        var (quiet, hint) = await StartAsync(folder, "worker", "Application started");
        using (quiet)
        {
            await EndAsync(quiet);
        }

        hint.ShouldContain("AsyncProbe:LifelinePort");
        var lifeline = new Uri($"http://127.0.0.1:{FreePort.Take()}");
        var (worker, log) = await StartAsync(folder, "worker", "Application started", lifeline.Port);
        using (worker)
        {
            try
            {
                log.ShouldContain(lifeline.ToString());
                using var client = new HttpClient { Timeout = s_timeout };
                var report = "";
                await Eventually.TrueAsync(
                    async () => (report = await client.GetStringAsync(lifeline)).Contains("Worker.cs", StringComparison.Ordinal),
                    () => report);
                report.ShouldContain("AsyncProbe: import");
                report.ShouldContain("Worker.ExecuteAsync");
            }
            finally
            {
                await EndAsync(worker);
            }
        }
    }

    private async Task ShouldSayWhereThePageIsAsync(string folder, string template)
    {
        var (app, log) = await StartAsync(folder, template, "Application started");
        using (app)
        {
            try
            {
                var page = Page().Match(log).Groups[1].Value;
                page.ShouldNotBeEmpty($"{template}: {log}");
                using var browser = new HttpClient(new HttpClientHandler { AllowAutoRedirect = false }) { Timeout = s_timeout };
                browser.DefaultRequestHeaders.Accept.Add(new MediaTypeWithQualityHeaderValue("text/html"));
                (await browser.GetStringAsync(new Uri(page))).ShouldContain("AsyncProbe");
            }
            finally
            {
                await EndAsync(app);
            }
        }

        Ours().Count(log).ShouldBe(1, $"{template}: {log}");
    }

    private async Task<(Process App, string Log)> StartAsync(string folder, string name, string until, int? lifeline = null)
    {
        var app = Commands.Start(
            folder,
            clone.With(
                new Dictionary<string,
                    string> { ["DOTNET_ENVIRONMENT"] = "Development", ["ASPNETCORE_ENVIRONMENT"] = "Development",
                        ["ASPNETCORE_URLS"] = "http://127.0.0.1:0", ["AsyncProbe__LifelinePort"] = $"{lifeline}" }),
            "dotnet", Path.Combine(folder, "bin", "Debug", "net10.0", name + ".dll"));
        using var timeout = new CancellationTokenSource(s_timeout);
        var log = "";
        while (!log.Contains(until, StringComparison.Ordinal))
        {
            var line = await app.StandardOutput.ReadLineAsync(timeout.Token);
            log += line
                ?? throw new InvalidOperationException(
                    $"{name} ended. It wrote:\n{log}{await app.StandardError.ReadToEndAsync(timeout.Token)}");
            log += "\n";
        }

        return (app, log);
    }

    private static async Task EndAsync(Process app)
    {
        app.Kill(entireProcessTree: true);
        await app.WaitForExitAsync();
    }

    [GeneratedRegex(@"var (app|host) = builder\.Build\(\);")]
    private static partial Regex Build();

    [GeneratedRegex(@"^\w+: AsyncProbe", RegexOptions.Multiline)]
    private static partial Regex Ours();

    [GeneratedRegex(@"The live page of AsyncProbe is at (\S+)\.")]
    private static partial Regex Page();
}
