using System.Globalization;
using System.Text;

namespace AsyncProbe.Analyzers.Reports;

/// <summary>
/// Reads JSON sequentially without storing it. An analyzer can only load assemblies that it ships. System.Text.Json for .NET Standard would
/// add seven assemblies, which could conflict with the compiler's own versions. The JSON reader that is part of .NET Standard doesn't
/// report where a file is invalid.
/// </summary>
/// <param name="text">The JSON.</param>
/// <param name="cancellationToken">Cancels reading.</param>
internal sealed class JsonScanner(string text, CancellationToken cancellationToken = default)
{
    private const int Deepest = 64;

    private int _depth;

    /// <summary>Where the next value begins, after a call of <see cref="Peek"/>.</summary>
    public int Position { get; private set; }

    /// <summary>The first character of the next value.</summary>
    public char Peek()
    {
        while (Position < text.Length && text[Position] is ' ' or '\t' or '\r' or '\n' or '\uFEFF')
        {
            Position++;
        }

        return Position < text.Length ? text[Position] : throw Broken("it ends too early");
    }

    /// <summary>Calls <paramref name="property"/> for each property; it must read the value or skip it.</summary>
    public void ReadObject(Action<string> property) => ReadList('{', '}', () =>
    {
        var name = Peek() == '"' ? ReadString() : throw Broken("a name in quotes is missing");
        Expect(':');
        property(name);
    });

    public void ReadArray(Action item) => ReadList('[', ']', item);

    /// <summary>Returns null if the value is not a string.</summary>
    public string? ReadText()
    {
        if (Peek() == '"')
        {
            return ReadString();
        }

        Skip();
        return null;
    }

    /// <summary>Returns null if the value is not a number.</summary>
    public double? ReadNumber()
    {
        if (Peek() is '"' or '{' or '[' or 't' or 'f' or 'n')
        {
            Skip();
            return null;
        }

        var start = Position;
        var word = ReadWord();
        return double.TryParse(word, NumberStyles.Float, CultureInfo.InvariantCulture, out var number)
            && (word[0] == '-' || char.IsDigit(word[0]))
            ? number
            : throw new ReportException($"\"{Shorten(word)}\" is not a value", start);
    }

    public bool ReadTrue()
    {
        if (Peek() is not ('t' or 'f' or 'n'))
        {
            Skip();
            return false;
        }

        var start = Position;
        return ReadWord() switch
        {
            "true" => true,
            "false" or "null" => false,
            var word => throw new ReportException($"\"{Shorten(word)}\" is not a value", start),
        };
    }

    public void Skip()
    {
        switch (Peek())
        {
            case '{':
                ReadObject(_ => Skip());
                break;
            case '[':
                ReadArray(Skip);
                break;
            case '"':
                ReadString();
                break;
            case 't' or 'f' or 'n':
                ReadTrue();
                break;
            default:
                ReadNumber();
                break;
        }
    }

    public void ExpectEnd()
    {
        while (Position < text.Length && char.IsWhiteSpace(text[Position]))
        {
            Position++;
        }

        if (Position < text.Length)
        {
            throw Broken("something follows its end");
        }
    }

    private void ReadList(char open, char close, Action item)
    {
        cancellationToken.ThrowIfCancellationRequested();
        Expect(open);
        if (++_depth > Deepest)
        {
            throw Broken($"it is nested deeper than {Deepest}");
        }

        if (Peek() != close)
        {
            item();
            while (Peek() == ',')
            {
                Position++;
                item();
            }
        }

        Expect(close);
        _depth--;
    }

    private void Expect(char expected)
    {
        if (Peek() != expected)
        {
            throw Broken($"\"{expected}\" is missing");
        }

        Position++;
    }

    private string ReadString()
    {
        var start = ++Position;
        while (Position < text.Length && text[Position] is not ('"' or '\\' or < ' '))
        {
            Position++;
        }

        var read = new StringBuilder(text, start, Position - start, Math.Max(16, Position - start));
        while (Position < text.Length && text[Position] is not '"' and >= ' ')
        {
            read.Append(text[Position] == '\\' ? ReadEscape() : text[Position]);
            Position++;
        }

        if (Position >= text.Length || text[Position] != '"')
        {
            throw Broken("a string has no end");
        }

        Position++;
        return read.ToString();
    }

    private char ReadEscape()
    {
        if (++Position >= text.Length)
        {
            throw Broken("a string has no end");
        }

        switch (text[Position])
        {
            case '"' or '\\' or '/':
                return text[Position];
            case 'b':
                return '\b';
            case 'f':
                return '\f';
            case 'n':
                return '\n';
            case 'r':
                return '\r';
            case 't':
                return '\t';
            case 'u' when Position + 4 < text.Length
                && ushort.TryParse(
                    text.Substring(Position + 1, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var code):
                Position += 4;
                return (char)code;
            default:
                throw Broken("an escape is unknown");
        }
    }

    private string ReadWord()
    {
        var start = Position;
        while (Position < text.Length && (char.IsLetterOrDigit(text[Position]) || text[Position] is '-' or '+' or '.'))
        {
            Position++;
        }

        return Position > start ? text.Substring(start, Position - start) : throw Broken("a value is missing");
    }

    private static string Shorten(string word) => word.Length <= 20 ? word : word.Substring(0, 20) + "…";

    private ReportException Broken(string what) => new(what, Math.Min(Position, text.Length));
}
