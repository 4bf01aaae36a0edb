using System.Diagnostics;
using System.Globalization;
using AsyncProbe.Sample.Hosting;

namespace AsyncProbe.Sample.Upstream;

/// <summary>Starts the upstream process with the sample, restarts it when it dies, and stops it with the sample.</summary>
internal sealed partial class UpstreamProcess(
    UpstreamClient client, IConfiguration configuration, ILogger<UpstreamProcess> logger) : BackgroundService
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(1);
    private Process? _process;

    public override async Task StartAsync(CancellationToken cancellationToken)
    {
        if (configuration.GetValue("Sample:Upstream", defaultValue: true))
        {
            // Before the first request: a throttled pool must not have to open connections (see this folder's README).
            await LaunchAsync(cancellationToken);
            await base.StartAsync(cancellationToken);
        }
    }

    public override async Task StopAsync(CancellationToken cancellationToken)
    {
        await base.StopAsync(cancellationToken);
        End();
    }

    public override void Dispose()
    {
        End();
        base.Dispose();
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        while (!stoppingToken.IsCancellationRequested)
        {
            await _process!.WaitForExitAsync(stoppingToken);
            client.Address = null;

            // Ctrl+C reaches both processes. In that case this one is about to stop, too.
            await Task.Delay(Pause, stoppingToken);
            Restarting(logger, _process.ExitCode);
            await LaunchAsync(stoppingToken);
        }
    }

    private async Task LaunchAsync(CancellationToken cancellation)
    {
        _process?.Dispose();
        _process = Process.Start(Command())!;
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        limit.CancelAfter(Patience);
        var address = await _process.StandardOutput.ReadLineAsync(limit.Token)
            ?? throw new InvalidOperationException(
                "The upstream process ended before it said its address. Start the sample with --upstream to see why.");
        client.Address = new Uri(address);
        await client.WarmAsync(limit.Token);
        Started(logger, _process.Id.ToString(CultureInfo.InvariantCulture), client.Address);
    }

    private static ProcessStartInfo Command()
    {
        var command = OwnProgram.Command(UpstreamServer.Argument);
        command.RedirectStandardInput = true;
        command.RedirectStandardOutput = true;
        return command;
    }

    private void End()
    {
        if (_process is null)
        {
            return;
        }

        // Closing its input makes it end. Kill it only if it hangs.
        _process.StandardInput.Close();
        if (!_process.WaitForExit(TimeSpan.FromSeconds(5)))
        {
            _process.Kill();
        }

        _process.Dispose();
        _process = null;
    }

    [LoggerMessage(2, LogLevel.Information, "The upstream process {Id} answers at {Address}.")]
    private static partial void Started(ILogger logger, string id, Uri address);

    [LoggerMessage(3, LogLevel.Warning, "The upstream process ended with code {Code} and is started again.")]
    private static partial void Restarting(ILogger logger, int code);
}
