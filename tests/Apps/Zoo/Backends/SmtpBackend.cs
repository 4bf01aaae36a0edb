using System.Text;

namespace Zoo.Backends;

/// <summary>Accepts every mail.</summary>
internal sealed class SmtpBackend : Backend
{
    public static SmtpBackend Instance { get; } = new();

    protected override void Serve(Stream stream)
    {
        using var reader = new StreamReader(stream, Encoding.ASCII);
        stream.Write("220 zoo\r\n"u8);
        while (reader.ReadLine() is { } line)
        {
            switch (line.Split(' ')[0].ToUpperInvariant())
            {
                case "DATA":
                    stream.Write("354 go on\r\n"u8);
                    while (reader.ReadLine() is not (null or "."))
                    {
                    }

                    Wait();
                    stream.Write("250 sent\r\n"u8);
                    break;
                case "QUIT":
                    stream.Write("221 bye\r\n"u8);
                    return;
                default:
                    stream.Write("250 fine\r\n"u8);
                    break;
            }
        }
    }
}
