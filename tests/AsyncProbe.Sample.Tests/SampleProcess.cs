using System.Collections.Concurrent;
using System.Diagnostics;

namespace AsyncProbe.Sample.Tests;

/// <summary>The sample in a process of its own, for what changes or ends a whole process.</summary>
internal sealed class SampleProcess : IAsyncDisposable
{
    private readonly ConcurrentQueue<string> _lines = new();
    private readonly TaskCompletionSource<Uri> _address = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private SampleProcess(Process process) => Process = process;

    public Process Process { get; }

    public HttpClient Client { get; private set; } = new();

    public string Output => string.Join('\n', _lines);

    public static Task<SampleProcess> StartAsync(params string[] arguments) => StartAsync(new Dictionary<string, string>(), arguments);

    public static async Task<SampleProcess> StartAsync(IReadOnlyDictionary<string, string> environment, params string[] arguments)
    {
        var start = new ProcessStartInfo("dotnet")
        {
            ArgumentList = { Path.Combine(AppContext.BaseDirectory, "AsyncProbe.Sample.dll"), "--urls", "http://127.0.0.1:0" },
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        foreach (var argument in arguments)
        {
            start.ArgumentList.Add(argument);
        }

        foreach (var (name, value) in environment)
        {
            start.Environment[name] = value;
        }

        var sample = new SampleProcess(Process.Start(start)!);
        sample.Process.OutputDataReceived += (_, line) => sample.Read(line.Data);
        sample.Process.ErrorDataReceived += (_, line) => sample.Read(line.Data);
        sample.Process.BeginOutputReadLine();
        sample.Process.BeginErrorReadLine();
        _ = sample.TellOfItsEndAsync();
        try
        {
            sample.Client = new HttpClient { BaseAddress = await sample._address.Task.WaitAsync(TestApp.Timeout), Timeout = TestApp.Timeout };
            return sample;
        }
        catch
        {
            await sample.DisposeAsync();
            throw;
        }
    }

    public Task<string> TextAsync(string path) => Client.GetStringAsync(new Uri(path, UriKind.Relative));

    /// <summary>What the log says: "The upstream process 123 answers at …".</summary>
    public async Task<int> UpstreamIdAsync()
    {
        const string said = "The upstream process ";
        await SaysAsync(said);
        return int.Parse(Output.Split(said)[^1].Split(' ')[0], System.Globalization.CultureInfo.InvariantCulture);
    }

    /// <summary>Waits until the output has the text.</summary>
    public async Task SaysAsync(string text)
    {
        var deadline = DateTime.UtcNow + TestApp.Timeout;
        while (!Output.Contains(text, StringComparison.Ordinal))
        {
            DateTime.UtcNow.ShouldBeLessThan(deadline, $"'{text}' is not in: {Output}");
            await Task.Delay(20);
        }
    }

    public async ValueTask DisposeAsync()
    {
        Client.Dispose();
        if (!Process.HasExited)
        {
            Process.Kill();
        }

        await Process.WaitForExitAsync().WaitAsync(TestApp.Timeout);
        Process.Dispose();
    }

    // The end of the process is seen before its last words are; waiting for it also waits for them.
    private async Task TellOfItsEndAsync()
    {
        await Process.WaitForExitAsync();
        _address.TrySetException(new InvalidOperationException("The sample ended:\n" + Output));
    }

    private void Read(string? line)
    {
        if (line is null)
        {
            return;
        }

        _lines.Enqueue(line);
        const string mark = "start page";
        if (line.TrimStart().StartsWith(mark, StringComparison.Ordinal))
        {
            _address.TrySetResult(new Uri(line[(line.IndexOf(mark, StringComparison.Ordinal) + mark.Length)..].Trim()));
        }
    }
}
