using System.Diagnostics;

namespace AsyncProbe.Attach.Tests;

/// <summary>
/// A process that answers diagnostics commands as a runtime does that can't be attached to. No package of such a runtime can be restored. It prints
/// each command that it gets.
/// </summary>
internal sealed class OldRuntime : ChildProcess
{
    // It describes itself when asked with "4 0" or "4 4". Without a version, it refuses "4 4". It refuses everything else.
    private const string Script = """
        import os, socket, struct, sys
        pid, version = os.getpid(), sys.argv[1]
        started = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[19]
        path = f"{sys.argv[2]}dotnet-diagnostic-{pid}-{started}-socket"
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(path)
        listener.listen()
        print("Application started", flush=True)
        def text(value):
            return struct.pack("<I", len(value) + 1) + (value + "\0").encode("utf-16-le")
        def answer(command, payload):
            return b"DOTNET_IPC_V1\0" + struct.pack("<HBBH", 20 + len(payload), 255, command, 0) + payload
        while True:
            client, _ = listener.accept()
            header = client.recv(20)
            if len(header) == 20:
                print("command", header[16], header[17], flush=True)
                description = struct.pack("<Q", pid) + bytes(16) + text("Old") + text("linux") + text("x64")
                known = (4, 0) if not version else (4, 4)
                if (header[16], header[17]) in ((4, 0), known):
                    client.sendall(answer(0, description + text("Old") + text(version)))
                else:
                    client.sendall(answer(255, struct.pack("<I", 0x80131385)))
            client.close()
        """;

    private OldRuntime(string version)
        : base(new ProcessStartInfo("python3", ["-c", Script, version, Path.GetTempPath()]))
    {
    }

    public string Pid => Process.Id.ToString(System.Globalization.CultureInfo.InvariantCulture);

    /// <summary>The commands that it got, each as its set and number.</summary>
    public IReadOnlyList<string> Commands =>
        [.. Output.Split('\n').Where(line => line.StartsWith("command ", StringComparison.Ordinal)).Select(line => line["command ".Length..])];

    public static async Task<OldRuntime> StartAsync(string version)
    {
        var old = new OldRuntime(version);
        await old.LineAsync("Application started");
        return old;
    }

    public override async ValueTask DisposeAsync()
    {
        foreach (var socket in Directory.GetFiles(Path.GetTempPath(), $"dotnet-diagnostic-{Pid}-*"))
        {
            File.Delete(socket);
        }

        await base.DisposeAsync();
    }
}
