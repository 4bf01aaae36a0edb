using System.IO.Pipes;

namespace AsyncProbe.Runtimes;

/// <summary>A process that listens on a named pipe, and writes down what it got.</summary>
internal static class PipeListener
{
    public const string Listening = "listening";
    public const string Received = "received ";

    /// <param name="name">The pipe's, which another process may have already.</param>
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
            // Whoever came has gone, perhaps before he was waited for.
            return 0;
        }
    }
}
