using System.Globalization;

namespace AsyncProbe.Cli.Sessions.Export;

/// <summary>Builds a request's URL as a run does, but keeps variables in its path and query that mean the same there.</summary>
internal static class ExportedUrl
{
    /// <returns>The scheme with the host, and the rest.</returns>
    /// <exception cref="SessionException">The URL can't be built.</exception>
    public static (string Site, string PathAndQuery) Build(string url, SessionOptions options, string? baseUrl, SessionVariables variables)
    {
        // No marker is part of another, and building a URL leaves markers unchanged.
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

            // A variable before the path determines the server, so its value is written.
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

    /// <summary>Other values would change when the URL is built, so they must be in it before that.</summary>
    private static bool Stays(string? value) =>
        value is null || (value.Length > 0 && value.All(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_'));
}
