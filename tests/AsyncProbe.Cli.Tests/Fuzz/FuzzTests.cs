using System.Diagnostics;
using System.Globalization;
using Xunit.Abstractions;

namespace AsyncProbe.Cli.Tests.Fuzz;

/// <summary>
/// Feeds mutated texts to all code that reads untrusted text: 700 of each here, an hour's worth with <c>tests/fuzz.sh</c>. A seed
/// identifies a text, so a finding can be reproduced; it then gets its own test.
/// </summary>
public class FuzzTests(ITestOutputHelper output)
{
    /// <summary>A text has at most 200,000 characters; allocating a thousand times that would take a gigabyte for a large one.</summary>
    private const long MostBytes = 400_000_000;

    /// <summary>In a build, every machine reads the same texts. A long run continues for the requested time.</summary>
    private const int Texts = 700;

    private static readonly TimeSpan s_longer = TimeSpan.FromSeconds(Number("ASYNCPROBE_FUZZ_SECONDS", 0));

    [Fact]
    public void Readers_RefuseWithASentence_WhateverTheyGet()
    {
        var clock = Stopwatch.StartNew();
        var runs = new Dictionary<string, int>();
        var found = new Dictionary<string, string>();
        var first = Number("ASYNCPROBE_FUZZ_SEED", 1);
        for (var seed = first; seed < first + Texts || clock.Elapsed < s_longer; seed++)
        {
            foreach (var (name, corpus, read) in FuzzTargets.All)
            {
                runs[name] = runs.GetValueOrDefault(name) + 1;
                if (Try(read, new Mutator(seed, corpus).Next()) is { } finding)
                {
                    found.TryAdd($"{name}: {finding}", $"seed {seed}");
                }
            }
        }

        output.WriteLine(string.Join(", ", runs.Select(run => $"{run.Key} {run.Value}")));
        found.Select(finding => $"{finding.Value}, {finding.Key}").ShouldBeEmpty();
    }

    private static string? Try(Action<string> read, string text)
    {
        var before = GC.GetAllocatedBytesForCurrentThread();
        try
        {
            read(text);
        }
        catch (Exception e) when (!FuzzTargets.IsSentence(e))
        {
            var at = e.StackTrace?.Split('\n').FirstOrDefault(line => line.Contains("AsyncProbe", StringComparison.Ordinal))?.Trim();
            return $"{e.GetType().Name} {at}";
        }
        catch (Exception)
        {
            return null;
        }

        return GC.GetAllocatedBytesForCurrentThread() - before > MostBytes ? "more memory than a text may take" : null;
    }

    private static int Number(string variable, int otherwise) =>
        int.TryParse(Environment.GetEnvironmentVariable(variable), CultureInfo.InvariantCulture, out var number) ? number : otherwise;
}
