using System.Globalization;
using System.Text;
using AsyncProbe.Cli.Sessions;
using AsyncProbe.StackSnapshots.Runtimes;

namespace AsyncProbe.Cli.Processes;

/// <summary>What a runtime reports about its process.</summary>
internal sealed record ProcessInfo
{
    private const byte ProcessCommands = 4;
    private const byte GetProcessInfo2 = 4;
    private const int IdsLength = 8 + 16;
    private static readonly TimeSpan s_longest = TimeSpan.FromSeconds(10);

    /// <summary>The entry assembly's name.</summary>
    public required string Name { get; init; }

    /// <summary>Such as 8.0.31.</summary>
    public required string RuntimeVersion { get; init; }

    /// <summary>Such as x64.</summary>
    public required string Architecture { get; init; }

    public int Major =>
        int.TryParse(RuntimeVersion.Split('.')[0], NumberStyles.None, CultureInfo.InvariantCulture, out var major) ? major : 0;

    /// <exception cref="IOException">The runtime does not answer.</exception>
    public static ProcessInfo Read(RuntimeAddress address)
    {
        using var runtime = RuntimeConnection.Open(address, s_longest);
        RuntimeMessage.Send(runtime, ProcessCommands, GetProcessInfo2, []);
        using var answer = new BinaryReader(new MemoryStream(RuntimeMessage.ReadAnswer(runtime)), Encoding.Unicode);
        answer.ReadBytes(IdsLength);
        var command = ReadText(answer);
        ReadText(answer);
        var architecture = ReadText(answer);
        var entry = ReadText(answer);
        return new()
        {
            // The runtime doesn't know the entry assembly until it has started Main.
            Name = SafeText.From(entry.Length > 0 ? entry : Path.GetFileNameWithoutExtension(command.Split(' ')[0])),
            RuntimeVersion = SafeText.From(ReadText(answer).Split('+')[0]),
            Architecture = architecture,
        };
    }

    private static string ReadText(BinaryReader answer)
    {
        var length = answer.ReadInt32();
        return length is > 0 and < ushort.MaxValue ? Encoding.Unicode.GetString(answer.ReadBytes(length * 2)).TrimEnd('\0') : "";
    }
}
