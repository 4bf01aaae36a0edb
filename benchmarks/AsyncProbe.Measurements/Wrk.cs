using System.Globalization;
using System.Text.RegularExpressions;

namespace AsyncProbe.Measurements;

/// <summary>Runs wrk and reads its rate.</summary>
internal static partial class Wrk
{
    /// <returns>Requests a second.</returns>
    public static async Task<double> RateAsync(string url, int connections, int seconds, int? core = null)
    {
        using var wrk = Server.Start(core, ["wrk", "-t1", $"-c{connections}", $"-d{seconds}s", "--timeout", "30s", url]);
        var output = await wrk.StandardOutput.ReadToEndAsync();
        await wrk.WaitForExitAsync();
        var match = RatePattern().Match(output);
        if (!match.Success || output.Contains("Non-2xx", StringComparison.Ordinal))
        {
            throw new InvalidOperationException($"wrk did not get a clean run of {url}:\n{output}");
        }

        return double.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture);
    }

    [GeneratedRegex(@"Requests/sec:\s+([\d.]+)")]
    private static partial Regex RatePattern();
}
