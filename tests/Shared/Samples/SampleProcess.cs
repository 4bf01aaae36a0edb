using System.Diagnostics;
using System.Globalization;

namespace AsyncProbe.Tests.Shared;

/// <summary>The sample in its own process, for tests that change or end a whole process.</summary>
internal sealed class SampleProcess : ChildProcess
{
    private SampleProcess(ProcessStartInfo start)
        : base(start)
    {
    }

    public static Task<SampleProcess> StartAsync(params string[] arguments) => StartAsync(new Dictionary<string, string>(), arguments);

    public static async Task<SampleProcess> StartAsync(IReadOnlyDictionary<string, string> environment, params string[] arguments)
    {
        var start = Dotnet("AsyncProbe.Sample.dll", ["--urls", "http://127.0.0.1:0", .. arguments]);
        foreach (var (name, value) in environment)
        {
            start.Environment[name] = value;
        }

        var sample = new SampleProcess(start);
        await sample.ListenAsync();
        return sample;
    }

    /// <summary>The process id in the log line "The upstream process 123 answers at …".</summary>
    public async Task<int> UpstreamIdAsync()
    {
        const string said = "The upstream process ";
        var line = await LineAsync(said);
        return int.Parse(line.Split(said)[^1].Split(' ')[0], CultureInfo.InvariantCulture);
    }
}
