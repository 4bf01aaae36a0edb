using System.Diagnostics;
using System.Globalization;

namespace AsyncProbe.Jobs.Tests;

/// <summary>
/// A private RabbitMQ: on loopback and free ports, with all its files in a folder that is deleted with it. It also runs its own process
/// for the names of Erlang's nodes, which would otherwise outlive the test as a daemon.
/// </summary>
internal sealed class RabbitMq : IAsyncDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("asyncprobe-rabbitmq-");
    private readonly Program _names;
    private readonly Program _broker;

    private RabbitMq()
    {
        var (port, names, distribution) = (FreePort.Take(), FreePort.Take(), FreePort.Take());
        Address = new Uri($"rabbitmq://127.0.0.1:{port}/");
        _names = new Program(new ProcessStartInfo("epmd", ["-port", $"{names}", "-address", "127.0.0.1"]));

        // Debian's own script would run it as another user, with that user's files.
        var start = new ProcessStartInfo("/usr/lib/rabbitmq/bin/rabbitmq-server") { WorkingDirectory = _folder.FullName };
        foreach (var (name, value) in Settings(port, names, distribution))
        {
            start.Environment[name] = value;
        }

        _broker = new Program(start);
    }

    public Uri Address { get; }

    public static async Task<RabbitMq> StartAsync()
    {
        var started = new RabbitMq();
        try
        {
            await started._broker.LineAsync("Server startup complete");
            return started;
        }
        catch
        {
            await started.DisposeAsync();
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _broker.DisposeAsync();
        await _names.DisposeAsync();
        _folder.Delete(recursive: true);
    }

    private IEnumerable<(string Name, string Value)> Settings(int port, int names, int distribution) =>
    [
        ("HOME", _folder.FullName),
        ("ERL_EPMD_PORT", Text(names)),
        ("ERL_EPMD_ADDRESS", "127.0.0.1"),
        ("RABBITMQ_NODENAME", "tests@localhost"),
        ("RABBITMQ_NODE_IP_ADDRESS", "127.0.0.1"),
        ("RABBITMQ_NODE_PORT", Text(port)),
        ("RABBITMQ_DIST_PORT", Text(distribution)),
        ("RABBITMQ_MNESIA_BASE", Path.Combine(_folder.FullName, "data")),
        ("RABBITMQ_LOG_BASE", Path.Combine(_folder.FullName, "log")),
        ("RABBITMQ_LOGS", "-"),
        ("RABBITMQ_CONFIG_FILE", Path.Combine(_folder.FullName, "rabbitmq.conf")),
        ("RABBITMQ_ADVANCED_CONFIG_FILE", Path.Combine(_folder.FullName, "advanced.config")),
        ("RABBITMQ_GENERATED_CONFIG_DIR", Path.Combine(_folder.FullName, "generated")),
        ("RABBITMQ_ENABLED_PLUGINS_FILE", Path.Combine(_folder.FullName, "plugins")),
        ("RABBITMQ_PID_FILE", Path.Combine(_folder.FullName, "pid")),

        // Accept no connections from other machines, and don't let its schedulers spin while the tests run.
        ("RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "-kernel inet_dist_use_interface {127,0,0,1} +sbwt none"),
    ];

    private static string Text(int port) => port.ToString(CultureInfo.InvariantCulture);

    private sealed class Program(ProcessStartInfo start) : ChildProcess(start);
}
