using System.Buffers.Binary;

namespace Zoo.Backends;

/// <summary>
/// Speaks enough of PostgreSQL's protocol for a client to connect and to run a query. Each query returns one row with the integer 42 in the
/// binary format.
/// </summary>
internal sealed class PostgresBackend : Backend
{
    public static PostgresBackend Instance { get; } = new();

    public static string ConnectionString { get; } =
        $"Host=127.0.0.1;Port={Instance.Port};Username=zoo;Password=zoo;Database=zoo;SSL Mode=Disable;GSS Encryption Mode=Disable;"
            + "Server Compatibility Mode=NoTypeLoading;No Reset On Close=true;Maximum Pool Size=64";

    protected override void Serve(Stream stream)
    {
        // The startup message has no type.
        ReadBody(stream);
        Write(stream, 'R', [0, 0, 0, 0]);
        Write(stream, 'S', "server_version\016.0\0"u8);
        Write(stream, 'S', "client_encoding\0UTF8\0"u8);
        Write(stream, 'S', "standard_conforming_strings\0on\0"u8);
        Write(stream, 'S', "TimeZone\0UTC\0"u8);
        Write(stream, 'K', [0, 0, 0, 1, 0, 0, 0, 1]);
        Write(stream, 'Z', "I"u8);
        while (stream.ReadByte() is >= 0 and var type)
        {
            ReadBody(stream);
            switch ((char)type)
            {
                case 'P':
                    Write(stream, '1', []);
                    break;
                case 'B':
                    Write(stream, '2', []);
                    break;
                case 'C':
                    Write(stream, '3', []);
                    break;
                case 'D':
                    // One column named "Value" of type int4 in the binary format.
                    Write(stream, 'T', [0, 1, .. "Value\0"u8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 23, 0, 4, 255, 255, 255, 255, 0, 1]);
                    break;
                case 'E':
                    Wait();
                    Write(stream, 'D', [0, 1, 0, 0, 0, 4, 0, 0, 0, 42]);
                    Write(stream, 'C', "SELECT 1\0"u8);
                    break;
                case 'S':
                    Write(stream, 'Z', "I"u8);
                    break;
                case 'Q':
                    Write(stream, 'C', "SET\0"u8);
                    Write(stream, 'Z', "I"u8);
                    break;
                case 'X':
                    return;
                default:
                    break;
            }
        }
    }

    private static void ReadBody(Stream stream)
    {
        var length = new byte[4];
        stream.ReadExactly(length);
        stream.ReadExactly(new byte[BinaryPrimitives.ReadInt32BigEndian(length) - 4]);
    }

    private static void Write(Stream stream, char type, ReadOnlySpan<byte> body)
    {
        var message = new byte[5 + body.Length];
        message[0] = (byte)type;
        BinaryPrimitives.WriteInt32BigEndian(message.AsSpan(1), 4 + body.Length);
        body.CopyTo(message.AsSpan(5));
        stream.Write(message);
    }
}
