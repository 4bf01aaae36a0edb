using System.Net;
using System.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.Net.Http.Headers;

namespace AsyncProbe.Reporting.Page;

/// <summary>The live page, embedded in the assembly. Its content security policy forbids loading anything from elsewhere.</summary>
internal static class PageFiles
{
    public const string Html = "text/html; charset=utf-8";

    private const string Prefix = "AsyncProbe.Page.";

    private static readonly Dictionary<string, byte[]> s_files = Load();

    /// <summary>The files that the page loads from below its own address.</summary>
    public static IEnumerable<string> Parts => s_files.Keys.Where(name => name != "page.html");

    /// <summary>Whether the caller wants the page. Browsers name HTML explicitly; a client that accepts anything gets the JSON.</summary>
    public static bool IsWanted(string? accept)
    {
        var (html, json) = (0.0, 0.0);
        foreach (var accepted in accept is not null && MediaTypeHeaderValue.TryParseList([accept], out var all) ? all : [])
        {
            var quality = accepted.Quality ?? 1;
            html = accepted.MediaType.Equals("text/html", StringComparison.OrdinalIgnoreCase) ? Math.Max(html, quality) : html;
            json = accepted.MediaType.Equals("application/json", StringComparison.OrdinalIgnoreCase) ? Math.Max(json, quality) : json;
        }

        return html > json;
    }

    /// <param name="root">The relative path from the page's address to its parts.</param>
    /// <param name="isOnLifeline">Whether the lifeline serves the page.</param>
    /// <param name="lifeline">Where the lifeline listens; null if it serves the page itself, or if there is none.</param>
    public static byte[] Page(string root, bool isOnLifeline, string? lifeline) => Encoding.UTF8.GetBytes(
        Encoding.UTF8.GetString(s_files["page.html"])
            .Replace("{root}", root, StringComparison.Ordinal)
            .Replace("{server}", isOnLifeline ? "lifeline" : "report", StringComparison.Ordinal)
            .Replace("{lifeline}", lifeline ?? "", StringComparison.Ordinal));

    /// <summary>Null if no part has this name.</summary>
    public static byte[]? Part(string name) => name == "page.html" ? null : s_files.GetValueOrDefault(name);

    public static string TypeOf(string name) =>
        name.EndsWith(".css", StringComparison.Ordinal) ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8";

    /// <summary>The headers for every file. Scripts may call their own server, and the lifeline if there is one.</summary>
    public static IEnumerable<(string Name, string Value)> Headers(string? lifeline) =>
    [
        (HeaderNames.ContentSecurityPolicy,
            $"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'{(lifeline is null ? "" : " " + lifeline)}; "
                + "img-src 'self' data:; "
            + "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"),
        (HeaderNames.XFrameOptions, "DENY"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ];

    /// <summary>Writes the page with relative links that work with or without a trailing slash and under any base path.</summary>
    public static Task WritePage(HttpContext context, string? lifeline)
    {
        var path = context.Request.Path.Value ?? "";
        var last = path[(path.LastIndexOf('/') + 1)..];
        var root = last.Length == 0 ? "" : WebUtility.HtmlEncode(Uri.EscapeDataString(last)) + "/";
        return Write(context, Page(root, isOnLifeline: false, lifeline), Html, lifeline);
    }

    public static Task WritePart(HttpContext context, string name) => Write(context, s_files[name], TypeOf(name));

    internal static Task Write(HttpContext context, byte[] bytes, string type, string? lifeline = null)
    {
        foreach (var (name, value) in Headers(lifeline))
        {
            context.Response.Headers[name] = value;
        }

        context.Response.ContentType = type;
        context.Response.ContentLength = bytes.Length;
        return context.Response.Body.WriteAsync(bytes, context.RequestAborted).AsTask();
    }

    private static Dictionary<string, byte[]> Load()
    {
        var assembly = typeof(PageFiles).Assembly;
        return assembly.GetManifestResourceNames()
            .Where(name => name.StartsWith(Prefix, StringComparison.Ordinal))
            .ToDictionary(name => name[Prefix.Length..], name =>
            {
                using var stream = assembly.GetManifestResourceStream(name)!;
                var bytes = new byte[stream.Length];
                stream.ReadExactly(bytes);
                return bytes;
            });
    }
}
