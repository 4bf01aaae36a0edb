using System.Globalization;
using System.Text.RegularExpressions;

namespace AsyncProbe.Measurements;

/// <summary>Runs wrk and reads its rate.</summary>
internal static partial class Wrk
{
    /// <returns>Requests per second.</returns>
    public static Task<double> RateAsync(string url, int connections, int seconds, int? core = null) =>
        RunAsync(RatePattern(), url, connections, seconds, core);

    /// <returns>The number of requests.</returns>
    public static Task<double> CountAsync(string url, int connections, int seconds, int? core = null) =>
        RunAsync(CountPattern(), url, connections, seconds, core);

    private static async Task<double> RunAsync(Regex pattern, string url, int connections, int seconds, int? core)
    {
        using var wrk = Server.Start(core, ["wrk", "-t1", $"-c{connections}", $"-d{seconds}s", "--timeout", "30s", url]);
        var output = await wrk.StandardOutput.ReadToEndAsync();
        await wrk.WaitForExitAsync();
        var match = pattern.Match(output);
        if (!match.Success || output.Contains("Non-2xx", StringComparison.Ordinal))
        {
            throw new InvalidOperationException($"wrk did not get a clean run of {url}:\n{output}");
        }

        return double.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture);
    }

    [GeneratedRegex(@"([\d]+) requests in")]
    private static partial Regex CountPattern();

    [GeneratedRegex(@"Requests/sec:\s+([\d.]+)")]
    private static partial Regex RatePattern();
}
