using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace AsyncProbe.Stories.Tests.Findings;

/// <summary>The viewer itself, as its own command opens it: from the disk, with the profile in a script beside.</summary>
internal static partial class Speedscope
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromMinutes(2);

    /// <summary>What its table of frames shows.</summary>
    /// <param name="profile">A file.</param>
    /// <param name="folder">For what the browser writes.</param>
    public static async Task<Shown> OpenAsync(string profile, string folder)
    {
        var root = (await RunAsync("npm", "root", "--global")).Output.Trim();
        var page = new Uri(Path.Combine(root, "speedscope", "dist", "release", "index.html"));
        File.Exists(page.LocalPath).ShouldBeTrue("speedscope is not installed: npm install --global speedscope");
        var script = Path.Combine(folder, "profile.js");
        var content = Convert.ToBase64String(await File.ReadAllBytesAsync(profile));
        await File.WriteAllTextAsync(
            script, $"speedscope.loadFileFromBase64({JsonSerializer.Serialize(Path.GetFileName(profile))}, \"{content}\")");

        // High enough for every row: those out of sight are not in the document. WebGL without a graphics card.
        var (document, log) = await RunAsync(
            Environment.GetEnvironmentVariable("CHROMIUM") ?? "/usr/bin/chromium",
            "--headless", "--no-sandbox", "--disable-gpu", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--enable-logging=stderr",
            $"--user-data-dir={Path.Combine(folder, "chromium")}", "--window-size=1600,12000", "--virtual-time-budget=20000", "--dump-dom",
            $"{page}#localProfilePath={script}&view=sandwich");
        var text = WebUtility.HtmlDecode(Tag().Replace(document, "\n"));
        return new Shown(
            WebUtility.HtmlDecode(Title().Match(document).Groups[1].Value),
            [.. from row in Row().Matches(text) select (row.Groups["name"].Value, Milliseconds(row))],
            [.. from line in log.Split('\n') where line.Contains("CONSOLE", StringComparison.Ordinal) && IsError(line) select line]);
    }

    // Messages of the graphics driver are none of speedscope's.
    private static bool IsError(string line) =>
        line.Contains("rror", StringComparison.Ordinal) && !line.Contains("GL Driver", StringComparison.Ordinal);

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

    private static async Task<(string Output, string Errors)> RunAsync(string program, params string[] arguments)
    {
        using var process = Process.Start(
            new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true })!;
        try
        {
            var (output, errors) = (process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
            await process.WaitForExitAsync().WaitAsync(s_timeout);
            process.ExitCode.ShouldBe(0, $"{program}:\n{await output}{await errors}");
            return (await output, await errors);
        }
        finally
        {
            if (!process.HasExited)
            {
                process.Kill(entireProcessTree: true);
            }
        }
    }

    [GeneratedRegex("<title>([^<]*)</title>")]
    private static partial Regex Title();

    [GeneratedRegex("<[^>]*>")]
    private static partial Regex Tag();

    // Total, self and name; each number with its share.
    [GeneratedRegex(@"(?<total>[\d.]+)(?<unit>s|ms|µs|ns)\s+\([^)]*\)\s+[\d.]+(s|ms|µs|ns)\s+\([^)]*\)\s+(?<name>[^\n]*\S)")]
    private static partial Regex Row();

    /// <param name="Title">Of the window.</param>
    /// <param name="Frames">Each with its time and that of what it called.</param>
    /// <param name="Errors">What the page wrote to its console.</param>
    internal sealed record Shown(string Title, IReadOnlyList<(string Name, double TotalMs)> Frames, IReadOnlyList<string> Errors);
}
