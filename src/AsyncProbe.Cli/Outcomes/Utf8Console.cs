using System.Text;

namespace AsyncProbe.Cli.Outcomes;

/// <summary>Switches the Windows console to UTF-8. By default it has only one language's characters and prints ? for the rest.</summary>
internal sealed class Utf8Console : IDisposable
{
    private readonly Encoding? _before;

    private Utf8Console(Encoding? before) => _before = before;

    /// <summary>Lasts until disposal: the setting belongs to the console and would outlive the command.</summary>
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
            // If the console can't be changed, it shows the characters that it can.
            return false;
        }
    }
}
