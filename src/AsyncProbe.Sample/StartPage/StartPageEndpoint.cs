using System.Net;
using System.Text;
using AsyncProbe.Sample.Database;
using AsyncProbe.Sample.Hosting;

namespace AsyncProbe.Sample.StartPage;

/// <summary>The page at <c>/</c>: every story with its routes, curl lines, session and live figures.</summary>
internal static class StartPageEndpoint
{
    private static readonly string Template = ReadTemplate();

    public static void MapStartPage(this WebApplication app)
    {
        app.MapGet("/", (HttpRequest request, SampleDatabase database) =>
                Results.Content(Html($"{request.Scheme}://{request.Host}", database.Name), "text/html; charset=utf-8"))
            .WithSummary("The start page: every story with its routes.");
        Crowd.Map(app);
    }

    private static string Html(string address, string database)
    {
        var stories = new StringBuilder();
        foreach (var story in Stories.All)
        {
            AppendStory(stories, story, address);
        }

        return Template
            .Replace("{{database}}", Text(database), StringComparison.Ordinal)
            .Replace("{{stories}}", stories.ToString(), StringComparison.Ordinal);
    }

    private static void AppendStory(StringBuilder html, Story story, string address)
    {
        html.Append("<section><h2>").Append(Text(story.Title)).Append("</h2><p>").Append(Text(story.Claim)).AppendLine("</p><table>");
        foreach (var route in story.Routes)
        {
            var url = Text(address + route.Path);
            var name = route.Method == "GET"
                ? $"<a href=\"{Text(route.Path)}\">{Text(route.Path)}</a>"
                : $"{route.Method} {Text(route.Path)}";
            var method = route.Method == "GET" ? "" : $"-X {route.Method} ";
            html.AppendLine($"<tr><td>{name}</td><td>{Text(route.Does)}</td><td><code>curl -si {method}'{url}'</code></td></tr>");
        }

        html.AppendLine("</table>");
        if (story.Sessions.Count > 0)
        {
            var files = string.Join(' ', story.Sessions.Select(session => $"websurge/{session}.websurge"));
            var baseUrl = address == SampleApp.DefaultAddress ? "" : $" --base-url {Text(address)}";
            html.AppendLine($"<p class=\"session\">Under load: <code>asyncprobe compare {files}{baseUrl}</code></p>");
        }

        html.AppendLine($"<p><a href=\"/_threadpool?endpoint={Text(story.Filter)}\">What they have cost so far</a></p>");
        html.AppendLine("</section>");
    }

    private static string Text(string text) => WebUtility.HtmlEncode(text);

    private static string ReadTemplate()
    {
        using var stream = typeof(StartPageEndpoint).Assembly.GetManifestResourceStream("page.html")!;
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd();
    }
}
