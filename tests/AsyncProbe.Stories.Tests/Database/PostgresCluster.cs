using System.Diagnostics;

namespace AsyncProbe.Stories.Tests.Database;

/// <summary>The test's own PostgreSQL server, in a temporary folder, on loopback.</summary>
internal sealed class PostgresCluster : IAsyncDisposable
{
    private readonly string _programs;
    private readonly string _folder;
    private readonly int _port = FreePort.Take();

    private PostgresCluster(string programs)
    {
        _programs = programs;
        _folder = Directory.CreateTempSubdirectory("asyncprobe-postgres-").FullName;
    }

    public string ConnectionString => $"Host=127.0.0.1;Port={_port};Username=postgres;Database=postgres;Timeout=5";

    /// <summary>Prints a message and returns null if PostgreSQL isn't installed; in CI that is a failure.</summary>
    public static async Task<PostgresCluster?> StartNewAsync()
    {
        if (Programs.FindFolder("initdb", "/usr/lib/postgresql") is not { } programs)
        {
            Programs.Missing("initdb and pg_ctl", "PostgreSQL", "postgresql");
            return null;
        }

        var cluster = new PostgresCluster(programs);
        await cluster.RunAsync("chown", "postgres", cluster._folder);
        await cluster.RunAsync("initdb", "-D", cluster.Data, "-A", "trust", "-U", "postgres", "--no-sync");
        await cluster.StartAsync();
        return cluster;
    }

    private string Data => Path.Combine(_folder, "data");

    public Task StartAsync() => RunAsync(
        "pg_ctl", "-D", Data, "-w", "-l", Path.Combine(_folder, "log"),
        "-o", $"-p {_port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={_folder} -c fsync=off", "start");

    /// <summary>Stops the server as a crash would: clients are not notified.</summary>
    public Task KillAsync() => RunAsync("pg_ctl", "-D", Data, "-m", "immediate", "-w", "stop");

    public async ValueTask DisposeAsync()
    {
        if (File.Exists(Path.Combine(Data, "postmaster.pid")))
        {
            await KillAsync();
        }

        Directory.Delete(_folder, recursive: true);
    }

    // The server refuses to run as root; then it runs as the user that its package created.
    private async Task RunAsync(string program, params string[] arguments)
    {
        var isRoot = Environment.UserName == "root";
        var path = Path.Combine(_programs, program);
        if (!File.Exists(path))
        {
            if (!isRoot)
            {
                return;
            }

            await StartAsync(program, arguments);
        }
        else if (isRoot)
        {
            await StartAsync("runuser", ["-u", "postgres", "--", path, .. arguments]);
        }
        else
        {
            await StartAsync(path, arguments);
        }
    }

    // Don't redirect the output: the server inherits it and would keep it open forever.
    private async Task StartAsync(string program, IEnumerable<string> arguments)
    {
        using var process = Process.Start(new ProcessStartInfo(program, arguments) { WorkingDirectory = _folder })!;
        await process.WaitForExitAsync().WaitAsync(TestApp.Timeout);
        process.ExitCode.ShouldBe(0, $"{program} {string.Join(' ', arguments)}");
    }
}
