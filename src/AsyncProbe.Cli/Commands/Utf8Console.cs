using System.Text;

namespace AsyncProbe.Cli.Commands;

/// <summary>Lets Windows' console take every character: it has the letters of one language else, and prints ? for the rest.</summary>
internal sealed class Utf8Console : IDisposable
{
    private readonly Encoding? _before;

    private Utf8Console(Encoding? before) => _before = before;

    /// <summary>Until it is disposed: the setting is the console's, and stays when the command has ended.</summary>
    public static Utf8Console Begin()
    {
        if (!OperatingSystem.IsWindows())
        {
            return new(null);
        }

        var before = Console.OutputEncoding;
        return new(TrySet(Encoding.UTF8) ? before : null);
    }

    public void Dispose()
    {
        if (_before is not null)
        {
            TrySet(_before);
        }
    }

    private static bool TrySet(Encoding encoding)
    {
        try
        {
            Console.OutputEncoding = encoding;
            return true;
        }
        catch (IOException)
        {
            // A console that is not to be changed shows what it can.
            return false;
        }
    }
}
