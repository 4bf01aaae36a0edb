using AsyncProbe.Reporting.Page;

namespace AsyncProbe.Reporting.Lifeline;

/// <summary>The live page, its parts and its help, as the lifeline serves them. Each is made on first use and kept.</summary>
internal sealed class LifelineFiles
{
    private readonly Dictionary<string, LifelineAnswer> _answers = new(StringComparer.Ordinal);

    /// <summary>Null for the report itself and for files that don't exist.</summary>
    public LifelineAnswer? Find(LifelineRequest request)
    {
        var name = request.Path == "/" ? PageFiles.IsWanted(request.Accept) ? "/" : null : request.Path[1..];
        return name is null ? null : _answers.GetValueOrDefault(name) ?? Make(name);
    }

    private LifelineAnswer? Make(string name)
    {
        var answer = name switch
        {
            "/" => Whole(PageFiles.Html, PageFiles.Page("", isOnLifeline: true, lifeline: null)),
            HelpPage.Name => Whole(PageFiles.Html, HelpPage.Html("")),
            _ => PageFiles.Part(name) is { } part ? Whole(PageFiles.TypeOf(name), part) : null,
        };
        if (answer is not null)
        {
            _answers[name] = answer;
        }

        return answer;
    }

    private static LifelineAnswer Whole(string type, byte[] body) => new(200, type, body, PageFiles.Headers(lifeline: null));
}
