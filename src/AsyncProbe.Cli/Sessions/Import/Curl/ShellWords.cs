using System.Text;

namespace AsyncProbe.Cli.Sessions.Import.Curl;

/// <summary>
/// Splits text the way a POSIX shell does: quotes, <c>$'…'</c>, escapes, line continuations, comments. A variable becomes a
/// <c>{{placeholder}}</c>; anything that would run another command is a problem.
/// </summary>
internal sealed class ShellWords
{
    private readonly string _text;
    private readonly List<ShellCommand> _commands = [];
    private readonly StringBuilder _word = new();
    private List<ShellWord> _words = [];
    private string? _problem;
    private bool _inWord;
    private int _at;
    private int _line = 1;
    private int _wordLine;

    private ShellWords(string text) => _text = LineBreaks.ToLf(text);

    public static IReadOnlyList<ShellCommand> Split(string text)
    {
        var words = new ShellWords(text);
        words.Read();
        return words._commands;
    }

    private void Read()
    {
        while (_at < _text.Length)
        {
            var c = Next();
            switch (c)
            {
                case ' ' or '\t':
                    EndWord();
                    break;
                case '\n' or ';' or '&' or '|':
                    EndCommand(c);
                    break;
                case '>' or '<':
                    EndWord();
                    _problem ??= $"\"{c}\" reads or writes a file, which is not done here: remove it";
                    break;
                case '#' when !_inWord:
                    SkipLine();
                    break;
                default:
                    Begin();
                    ReadPiece(c);
                    break;
            }
        }

        EndCommand('\n');
    }

    private char Next()
    {
        var c = _text[_at++];
        _line += c == '\n' ? 1 : 0;
        return c;
    }

    private char Peek() => _at < _text.Length ? _text[_at] : '\0';

    private void Begin()
    {
        if (!_inWord)
        {
            _inWord = true;
            _wordLine = _line;
        }
    }

    private void ReadPiece(char c)
    {
        switch (c)
        {
            case '\'':
                Until('\'');
                break;
            case '"':
                DoubleQuoted();
                break;
            case '$' when Peek() == '\'':
                var start = _at++;
                _word.Append(AnsiQuotes.Read(_text, ref _at));
                _line += _text.AsSpan(start.._at).Count('\n');
                break;
            case '$':
                Variable();
                break;
            case '\\' when Peek() == '\n':
                Next();
                _inWord = _word.Length > 0;
                break;
            case '\\' when _at < _text.Length:
                _word.Append(Next());
                break;
            case '`':
                _problem ??= "it runs another command (`…`)";
                break;
            case '^' when Peek() is '\n' or '"':
                _problem ??= "it is quoted for the prompt of Windows: copy it for bash";
                break;
            default:
                _word.Append(c);
                break;
        }
    }

    private void Until(char quote)
    {
        while (_at < _text.Length)
        {
            var c = Next();
            if (c == quote)
            {
                return;
            }

            _word.Append(c);
        }

        _problem ??= $"a quote ({quote}) has no end";
    }

    private void DoubleQuoted()
    {
        while (_at < _text.Length)
        {
            var c = Next();
            switch (c)
            {
                case '"':
                    return;
                case '$':
                    Variable();
                    break;
                case '`':
                    _problem ??= "it runs another command (`…`)";
                    break;
                case '\\' when Peek() is '$' or '`' or '"' or '\\':
                    _word.Append(Next());
                    break;
                case '\\' when Peek() == '\n':
                    Next();
                    break;
                default:
                    _word.Append(c);
                    break;
            }
        }

        _problem ??= "a quote (\") has no end";
    }

    private void Variable()
    {
        var open = Peek() == '{';
        var start = open ? _at + 1 : _at;
        var end = start;
        while (end < _text.Length && (char.IsAsciiLetterOrDigit(_text[end]) || _text[end] == '_'))
        {
            end++;
        }

        if (Peek() == '(' || (open && (end == start || end >= _text.Length || _text[end] != '}')))
        {
            _problem ??= "it runs another command, or changes a variable ($(…), ${…})";
        }
        else if (end == start)
        {
            _word.Append('$');
        }
        else
        {
            _word.Append("{{").Append(_text, start, end - start).Append("}}");
            _at = open ? end + 1 : end;
        }
    }

    private void SkipLine()
    {
        while (_at < _text.Length && _text[_at] != '\n')
        {
            _at++;
        }
    }

    private void EndWord()
    {
        if (_inWord)
        {
            _words.Add(new(_word.ToString(), _wordLine));
            _word.Clear();
            _inWord = false;
        }
    }

    private void EndCommand(char separator)
    {
        EndWord();
        if (_words.Count > 0)
        {
            _commands.Add(new(_words, _problem));
            _words = [];
        }

        _problem = null;
        if (separator == '|' && Peek() != '|')
        {
            // A command that formats the response sends nothing.
            SkipLine();
        }
    }
}
