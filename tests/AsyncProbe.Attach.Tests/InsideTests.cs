using System.Globalization;
using System.Net.Sockets;
using System.Runtime.Versioning;
using AsyncProbe.Cli.Processes;

namespace AsyncProbe.Attach.Tests;

/// <summary>What attaching does inside the process and next to it: what it loads, opens, reads and answers.</summary>
[SupportedOSPlatform("linux")]
public sealed class InsideTests
{
    private static readonly string[] s_probe = ["AsyncProbe", "AsyncProbe.Attach", "AsyncProbe.StackSnapshots"];

    [Fact]
    public async Task OnlyTheHook_IsInTheApplicationsLoadContext()
    {
        await using var shop = await ShopProcess.StartAsync();
        using var probe = new AttachedReport(shop);

        var contexts = (await shop.CountersAsync()).GetProperty("loadContexts").EnumerateObject()
            .ToDictionary(context => context.Name, context => context.Value.EnumerateArray().Select(name => name.GetString()!).ToList());

        Ours(contexts["Default"]).ShouldBe(["AsyncProbe.Hook"]);
        contexts.Remove("Default");
        contexts.Values.Where(names => Ours(names).Count > 0).ShouldHaveSingleItem().ShouldBe(s_probe);
        LoadedParts.Of(shop.Pid).Select(Path.GetFileNameWithoutExtension).ShouldBe(["AsyncProbe.Hook", .. s_probe], ignoreOrder: true);

        static List<string> Ours(List<string> names) => names.FindAll(name => name.StartsWith("AsyncProbe", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Probe_ListensInItsPrivateFolder_AndOnNoPort()
    {
        await using var shop = await ShopProcess.StartAsync();
        var ports = Listening(shop, "tcp").Concat(Listening(shop, "tcp6")).ToList();
        using var probe = new AttachedReport(shop);

        var folder = shop.Folders.ShouldHaveSingleItem();
        File.GetUnixFileMode(folder).ShouldBe(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        Listening(shop, "tcp").Concat(Listening(shop, "tcp6")).ShouldBe(ports);
        Sockets(shop).ShouldContain(path => Path.GetDirectoryName(path) == folder);
        Sockets(shop).ShouldAllBe(path => Path.GetDirectoryName(path) == folder || Path.GetFileName(path).StartsWith("dotnet-diagnostic-", StringComparison.Ordinal));
    }

    [Fact]
    public void Socket_IsRefused_WhenAnotherProcessListensThere()
    {
        using var folder = new TemporaryFolder();
        var path = Path.Combine(folder.Path, "4242.sock");
        using var impostor = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        impostor.Bind(new UnixDomainSocketEndPoint(path));
        impostor.Listen();

        Should.Throw<SocketException>(() => new ProbeSocket(path, process: 1).Connect()).SocketErrorCode.ShouldBe(SocketError.AccessDenied);
        using var own = new ProbeSocket(path, Environment.ProcessId).Connect();
        own.Connected.ShouldBeTrue();
    }

    [Fact]
    public async Task Environment_IsNotPrinted_AndItsTemporaryFolderIsUsed()
    {
        const string Secret = "dont-print-me-7d2f";
        using var temp = new TemporaryFolder();
        await using var shop = await ShopProcess.RunAsync(
            ShopProcess.Built("AsyncProbe.AttachTarget", "Shop.dll"), new() { ["TMPDIR"] = temp.Path, ["SHOP_PASSWORD"] = Secret });
        await using var load = new ShopLoad(shop.Client, clients: 1, "/sleep");

        foreach (var arguments in (string[][])[["ps"], ["attach", shop.Pid, "-s", "2", "--json"], ["look", shop.Pid, "-s", "1", "--json"]])
        {
            var command = await AsyncProbeCommand.RunAsync(arguments);

            command.ExitCode.ShouldBe(0, command.Messages);
            (command.Results + command.Messages).ShouldContain(shop.Pid);
            (command.Results + command.Messages).ShouldNotContain(Secret);
        }

        // The folder is gone, and it never was elsewhere.
        await Eventually.TrueAsync(
            () => Directory.GetDirectories(temp.Path, "asyncprobe-*").Length == 0, () => string.Join('\n', Directory.GetDirectories(temp.Path)));
        shop.Folders.ShouldBeEmpty();
    }

    [Fact]
    public async Task ControlCharacters_InTheProcesssName_AreNotPrinted()
    {
        const string Name = "Sh\u001b[31mop";
        using var folder = new TemporaryFolder();
        foreach (var file in Directory.GetFiles(Path.GetDirectoryName(ShopProcess.Built("AsyncProbe.AttachTarget", "Shop.dll"))!))
        {
            File.Copy(file, Path.Combine(folder.Path, Path.GetFileName(file).Replace("Shop.", Name + ".", StringComparison.Ordinal)));
        }

        await using var shop = await ShopProcess.RunAsync(Path.Combine(folder.Path, Name + ".dll"), []);

        foreach (var arguments in (string[][])[["ps"], ["attach", shop.Pid, "-s", "1"], ["look", shop.Pid, "-s", "1"]])
        {
            var command = await AsyncProbeCommand.RunAsync(arguments);

            (command.Results + command.Messages).ShouldContain(shop.Pid);
            (command.Results + command.Messages).ShouldNotContain("\u001b");
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Responses_HaveHeaders_OnlyWhenAsked(bool areAsked)
    {
        await using var shop = await ShopProcess.StartAsync();
        using var probe = new AttachedReport(shop.Pid, areAsked);

        using var answer = await shop.Client.GetAsync(new Uri("/sleep", UriKind.Relative));

        var held = answer.Headers.TryGetValues("X-AsyncProbe-Held-Ms", out var values)
            ? double.Parse(values.Single(), CultureInfo.InvariantCulture)
            : 0;
        held.ShouldBeInRange(areAsked ? 30 : 0, areAsked ? double.MaxValue : 0);
    }

    /// <summary>The local addresses at which a process listens, with the inodes of the sockets.</summary>
    private static IEnumerable<string> Listening(ShopProcess shop, string protocol)
    {
        const string Listens = "0A";
        var own = Inodes(shop);
        return File.ReadLines($"/proc/{shop.Pid}/net/{protocol}").Skip(1).Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Where(fields => fields[3] == Listens && own.Contains(fields[9])).Select(fields => fields[1]);
    }

    /// <summary>The paths of a process's Unix domain sockets.</summary>
    private static List<string> Sockets(ShopProcess shop)
    {
        var own = Inodes(shop);
        return [.. File.ReadLines($"/proc/{shop.Pid}/net/unix").Skip(1).Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Where(fields => fields.Length == 8 && own.Contains(fields[6])).Select(fields => fields[7]).Distinct()];
    }

    private static HashSet<string> Inodes(ShopProcess shop) =>
    [
        .. new DirectoryInfo($"/proc/{shop.Pid}/fd").GetFiles().Select(file => file.LinkTarget ?? "")
            .Where(target => target.StartsWith("socket:[", StringComparison.Ordinal)).Select(target => target["socket:[".Length..^1]),
    ];
}
