using System.Globalization;
using System.Text;

namespace Zoo.Backends;

/// <summary>Speaks enough of Redis's protocol for a client to connect and to read a key.</summary>
internal sealed class RedisBackend : Backend
{
    public static RedisBackend Instance { get; } = new();

    protected override void Serve(Stream stream)
    {
        // Keys and values are bytes, so each byte is read as one character.
        using var reader = new StreamReader(stream, Encoding.Latin1);
        while (reader.ReadLine() is ['*', .. var count])
        {
            var words = new string[int.Parse(count, CultureInfo.InvariantCulture)];
            for (var i = 0; i < words.Length; i++)
            {
                words[i] = ReadWord(reader);
            }

            stream.Write(Encoding.Latin1.GetBytes(Answer(words)));
        }
    }

    private static string ReadWord(StreamReader reader)
    {
        var length = int.Parse(reader.ReadLine().AsSpan(1), CultureInfo.InvariantCulture);
        var word = new char[length];
        reader.ReadBlock(word);
        reader.ReadLine();
        return new string(word);
    }

    private static string Answer(string[] words)
    {
        switch (words[0].ToUpperInvariant())
        {
            case "GET":
                Wait();
                return "$2\r\n42\r\n";
            case "ECHO":
                return $"${words[1].Length}\r\n{words[1]}\r\n";
            case "PING":
                return "+PONG\r\n";
            case "CLIENT" or "SELECT":
                return "+OK\r\n";
            default:
                return "-ERR unknown command\r\n";
        }
    }
}
