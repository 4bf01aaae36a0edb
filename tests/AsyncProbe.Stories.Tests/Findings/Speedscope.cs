using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Text.Json;
using System.Text.RegularExpressions;
using Microsoft.Playwright;

namespace AsyncProbe.Stories.Tests.Findings;

/// <summary>The viewer itself, opened as its own command opens it: from disk, with the profile in a script next to it.</summary>
internal static partial class Speedscope
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromMinutes(2);

    /// <summary>Returns the content of its table of frames.</summary>
    /// <param name="profile">The profile's file.</param>
    /// <param name="folder">The folder for the profile's script.</param>
    /// <param name="names">Frames to wait for, because the title appears before the table.</param>
    public static async Task<Shown> OpenAsync(string profile, string folder, IReadOnlyCollection<string> names)
    {
        var root = await NpmRootAsync();
        var index = new Uri(Path.Combine(root, "speedscope", "dist", "release", "index.html"));
        File.Exists(index.LocalPath).ShouldBeTrue("speedscope is not installed: npm install --global speedscope");
        var script = Path.Combine(folder, "profile.js");
        var content = Convert.ToBase64String(await File.ReadAllBytesAsync(profile));
        await File.WriteAllTextAsync(
            script, $"speedscope.loadFileFromBase64({JsonSerializer.Serialize(Path.GetFileName(profile))}, \"{content}\")");

        using var playwright = await Playwright.CreateAsync();
        await using var browser = await playwright.Chromium.LaunchAsync(new BrowserTypeLaunchOptions
        {
            ExecutablePath = Environment.GetEnvironmentVariable("CHROMIUM") ?? "/usr/bin/chromium",
            Timeout = (float)ChildProcess.Timeout.TotalMilliseconds,
            // WebGL without a graphics card.
            Args =
            [
                "--no-sandbox", "--disable-gpu", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking",
            ],
        });

        // High enough for every row: rows out of sight are not in the document.
        var page = await browser.NewPageAsync(new BrowserNewPageOptions { ViewportSize = new() { Width = 1600, Height = 12_000 } });
        page.SetDefaultTimeout((float)s_timeout.TotalMilliseconds);
        List<string> errors = [];
        page.Console += (_, message) => NoteError(errors, message);
        page.PageError += (_, error) => errors.Add(error);
        await page.GotoAsync($"{index}#localProfilePath={script}&view=sandwich");
        await page.WaitForFunctionAsync("names => names.every(name => document.body.textContent.includes(name))", names);
        var text = WebUtility.HtmlDecode(Tag().Replace(await page.ContentAsync(), "\n"));
        var frames = Row().Matches(text).Select(row => (row.Groups["name"].Value, Milliseconds(row)));
        return new Shown(await page.TitleAsync(), [.. frames], errors);
    }

    // Messages from the graphics driver don't come from speedscope.
    private static void NoteError(List<string> errors, IConsoleMessage message)
    {
        if (message.Type == "error" && !message.Text.Contains("GL Driver", StringComparison.Ordinal))
        {
            errors.Add(message.Text);
        }
    }

    private static double Milliseconds(Match row)
    {
        var value = double.Parse(row.Groups["total"].ValueSpan, CultureInfo.InvariantCulture);
        return row.Groups["unit"].Value switch
        {
            "s" => value * 1e3,
            "ms" => value,
            "µs" => value / 1e3,
            _ => value / 1e6,
        };
    }

    private static async Task<string> NpmRootAsync()
    {
        using var process = Process.Start(new ProcessStartInfo("npm", ["root", "--global"]) { RedirectStandardOutput = true })!;
        var output = await process.StandardOutput.ReadToEndAsync().WaitAsync(s_timeout);
        await process.WaitForExitAsync().WaitAsync(s_timeout);
        process.ExitCode.ShouldBe(0);
        return output.Trim();
    }

    [GeneratedRegex("<[^>]*>")]
    private static partial Regex Tag();

    // Total, self and name; each number is followed by its share.
    [GeneratedRegex(@"(?<total>[\d.]+)(?<unit>s|ms|µs|ns)\s+\([^)]*\)\s+[\d.]+(s|ms|µs|ns)\s+\([^)]*\)\s+(?<name>[^\n]*\S)")]
    private static partial Regex Row();

    /// <param name="Title">The title of the window.</param>
    /// <param name="Frames">Each frame with its time, including the time of what it called.</param>
    /// <param name="Errors">What the page logged to its console.</param>
    internal sealed record Shown(string Title, IReadOnlyList<(string Name, double TotalMs)> Frames, IReadOnlyList<string> Errors);
}
