using System.Globalization;

namespace AsyncProbe.Cli.Sessions.Export;

/// <summary>Builds a request's URL as a run does, but leaves those variables in its path and query that mean the same there.</summary>
internal static class ExportedUrl
{
    /// <returns>Scheme with host, and the rest.</returns>
    /// <exception cref="SessionException">There is no such URL.</exception>
    public static (string Site, string PathAndQuery) Build(string url, SessionOptions options, string? baseUrl, SessionVariables variables)
    {
        // No mark is a part of another, and a URL leaves it as it is.
        var names = ExportText.Parse(url).Variables.Where(name => Stays(variables.Value(name))).Distinct(StringComparer.OrdinalIgnoreCase)
            .ToList();
        while (true)
        {
            var marks = names.Select((name, index) => (Name: name, Mark: string.Create(CultureInfo.InvariantCulture, $"zqv{index}vqz")))
                .ToList();
            var marked = ExportText.Parse(url).Write(text => text, name =>
                marks.Find(mark => mark.Name.Equals(name, StringComparison.OrdinalIgnoreCase)).Mark ?? $"{{{{{name}}}}}");
            var (built, problem) = UrlBuilder.Build(marked, options, baseUrl, variables);
            var site = built?.GetComponents(UriComponents.SchemeAndServer, UriFormat.UriEscaped);
            var early = marks.Where(mark => built is null || built.Authority.Contains(mark.Mark, StringComparison.OrdinalIgnoreCase))
                .Select(mark => mark.Name).ToList();
            if (built is not null && early.Count == 0)
            {
                return (site!,
                    marks.Aggregate(
                        built.PathAndQuery, (text, mark) => text.Replace(mark.Mark, $"{{{{{mark.Name}}}}}", StringComparison.Ordinal)));
            }

            // A variable in front of the path decides on the server, so its value is written.
            var removable = early.Where(name => variables.Value(name) is not null).ToList();
            if (removable.Count == 0)
            {
                throw new SessionException(problem is null
                    ? $"\"{SafeText.From(url)}\" cannot be exported: a variable without a value decides on the server; use --base-url."
                    : $"{problem} A variable without a value may be the reason.");
            }

            names.RemoveAll(removable.Contains);
        }
    }

    /// <summary>Other values are changed when the URL is built, and have to be in it by then.</summary>
    private static bool Stays(string? value) =>
        value is null || (value.Length > 0 && value.All(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_'));
}
