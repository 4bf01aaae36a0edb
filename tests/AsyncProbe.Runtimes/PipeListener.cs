using System.IO.Pipes;

namespace AsyncProbe.Runtimes;

/// <summary>A process that listens on a named pipe and records what it receives.</summary>
internal static class PipeListener
{
    public const string Listening = "listening";
    public const string Received = "received ";

    /// <param name="name">The name of the pipe, which another process may already use.</param>
    public static async Task RunAsync(string name)
    {
        await using var pipe = new NamedPipeServerStream(name, PipeDirection.InOut, NamedPipeServerStream.MaxAllowedServerInstances);
        Console.WriteLine(Listening);
        Console.WriteLine($"{Received}{await BytesAsync(pipe)}");
    }

    private static async Task<int> BytesAsync(NamedPipeServerStream pipe)
    {
        try
        {
            await pipe.WaitForConnectionAsync();
            return await pipe.ReadAsync(new byte[1000]);
        }
        catch (IOException)
        {
            // The client has already disconnected, perhaps before this process waited for it.
            return 0;
        }
    }
}
