using System.Diagnostics;

namespace AsyncProbe.Integration.Tests.Blocking.Databases;

/// <summary>
/// A PostgreSQL server for the tests: the one in the connection string <c>ASYNCPROBE_POSTGRES</c>, or else a throwaway cluster
/// from Debian's binaries on loopback.
/// </summary>
public sealed class Postgres : IAsyncLifetime
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(60);

    private string? _folder;
    private string? _binaries;

    public string ConnectionString { get; private set; } = "";

    public async Task InitializeAsync()
    {
        if (Environment.GetEnvironmentVariable("ASYNCPROBE_POSTGRES") is { Length: > 0 } given)
        {
            ConnectionString = given;
            return;
        }

        _binaries = Directory.GetDirectories("/usr/lib/postgresql").Order().Last() + "/bin";
        _folder = Directory.CreateTempSubdirectory("asyncprobe-pg-").FullName;
        if (Environment.IsPrivilegedProcess)
        {
            await RunAsync("chown", "postgres", _folder);
        }

        var port = FreePort.Take();
        await RunAsServerAsync("initdb", "-D", _folder + "/data", "-U", "postgres", "-A", "trust", "--no-sync");
        await RunAsServerAsync(
            "pg_ctl", "-D", _folder + "/data", "-w", "-l", _folder + "/log", "-o",
            $"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off", "start");
        ConnectionString = $"Host=127.0.0.1;Port={port};Username=postgres;Database=postgres;Timeout=10";
    }

    public async Task DisposeAsync()
    {
        if (_folder is not null)
        {
            await RunAsServerAsync("pg_ctl", "-D", _folder + "/data", "-m", "immediate", "stop");
            Directory.Delete(_folder, recursive: true);
        }
    }

    // The server refuses to run as root.
    private Task RunAsServerAsync(string program, params string[] arguments) =>
        Environment.IsPrivilegedProcess
            ? RunAsync("runuser", ["-u", "postgres", "--", $"{_binaries}/{program}", .. arguments])
            : RunAsync($"{_binaries}/{program}", arguments);

    private static async Task RunAsync(string program, params string[] arguments)
    {
        // The server would inherit redirected streams and keep them open.
        using var process = Process.Start(new ProcessStartInfo(program, arguments) { WorkingDirectory = "/" })!;
        await process.WaitForExitAsync().WaitAsync(s_timeout);
        process.ExitCode.ShouldBe(0, $"{program} {string.Join(' ', arguments)}");
    }
}
