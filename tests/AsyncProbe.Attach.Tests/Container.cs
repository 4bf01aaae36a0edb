using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;

namespace AsyncProbe.Attach.Tests;

/// <summary>
/// The application in surroundings like those of a container: its own mount, process and network namespaces, a read-only root, and a /tmp
/// that only it has. It needs root.
/// </summary>
internal sealed class Container : ChildProcess
{
    private const string Listener = "/tmp/shop.sock";

    // Everything is mounted read-only, apart from /tmp. The application's folder is mounted there, as its user may not be able to reach it.
    private const string Script = """
        root=$(mktemp -d)
        mount --make-rprivate /
        mount --rbind / "$root"
        mount -o remount,bind,ro "$root"
        mount -t tmpfs tmpfs "$root/tmp"
        mkdir "$root/tmp/app"
        mount --bind "$1" "$root/tmp/app"
        mount -t proc proc "$root/proc"
        cd "$root"
        pivot_root . .
        umount -l .
        cd /tmp/app
        exec setpriv --reuid "$2" --regid "$2" --clear-groups dotnet exec Shop.dll --urls "http://unix:$3"
        """;

    private Container(ProcessStartInfo start)
        : base(start)
    {
    }

    /// <summary>The application's process id outside the container; inside, it is 1.</summary>
    public string Pid { get; private set; } = "";

    /// <summary>The private folders that tools created for this process.</summary>
    public string[] Folders => Directory.GetDirectories($"/proc/{Pid}/root/tmp", "asyncprobe-*");

    /// <param name="user">The id of the user that the application runs as.</param>
    public static async Task<Container> StartAsync(int user)
    {
        var folder = Path.GetDirectoryName(ShopProcess.Built("AsyncProbe.AttachTarget", "Shop.dll"))!;
        var container = new Container(new ProcessStartInfo(
            "unshare",
            [
                "--mount", "--pid", "--net", "--fork", "--kill-child", "sh", "-e", "-c", Script, "sh", folder,
                user.ToString(CultureInfo.InvariantCulture), Listener,
            ]));
        await container.LineAsync("Application started");
        var outer = container.Process.Id;
        container.Pid = File.ReadAllText($"/proc/{outer}/task/{outer}/children").Trim();
        container.Connect();
        return container;
    }

    /// <summary>Runs a command in the container's mount namespace.</summary>
    public async Task RunInsideAsync(params string[] command)
    {
        using var process = System.Diagnostics.Process.Start("nsenter", ["--target", Pid, "--mount", .. command]);
        await process.WaitForExitAsync().WaitAsync(Timeout);
        process.ExitCode.ShouldBe(0);
    }

    // The application's network can't be reached from here, but its files can.
    private void Connect()
    {
        var handler = new SocketsHttpHandler
        {
            ConnectCallback = async (_, cancellationToken) =>
            {
                var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
                await socket.ConnectAsync(new UnixDomainSocketEndPoint($"/proc/{Pid}/root{Listener}"), cancellationToken);
                return new NetworkStream(socket, ownsSocket: true);
            },
        };
        Use(handler, new Uri("http://localhost/"));
    }
}
