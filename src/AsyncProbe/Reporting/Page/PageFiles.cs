using System.Net;
using System.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.Net.Http.Headers;

namespace AsyncProbe.Reporting.Page;

/// <summary>The live page, as it lies in the assembly. Nothing in it comes from elsewhere, and its policy lets nothing in.</summary>
internal static class PageFiles
{
    private const string Policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        + "frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

    private const string Prefix = "AsyncProbe.Page.";

    private static readonly Dictionary<string, byte[]> s_files = Load();

    /// <summary>What the page asks for beneath its own address.</summary>
    public static IEnumerable<string> Parts => s_files.Keys.Where(name => name != "page.html");

    /// <summary>Browsers name HTML; whoever takes anything gets the JSON.</summary>
    public static bool IsWanted(HttpRequest request)
    {
        var (html, json) = (0.0, 0.0);
        foreach (var accepted in request.GetTypedHeaders().Accept)
        {
            var quality = accepted.Quality ?? 1;
            html = accepted.MediaType.Equals("text/html", StringComparison.OrdinalIgnoreCase) ? Math.Max(html, quality) : html;
            json = accepted.MediaType.Equals("application/json", StringComparison.OrdinalIgnoreCase) ? Math.Max(json, quality) : json;
        }

        return html > json;
    }

    /// <summary>The page, with links relative to how it was asked for: with or without a slash at the end, under any base path.</summary>
    public static Task WritePage(HttpContext context)
    {
        var path = context.Request.Path.Value ?? "";
        var last = path[(path.LastIndexOf('/') + 1)..];
        var root = last.Length == 0 ? "" : WebUtility.HtmlEncode(Uri.EscapeDataString(last)) + "/";
        var html = Encoding.UTF8.GetString(s_files["page.html"]).Replace("{root}", root, StringComparison.Ordinal);
        return Write(context, Encoding.UTF8.GetBytes(html), "text/html; charset=utf-8");
    }

    public static Task WritePart(HttpContext context, string name) =>
        Write(context, s_files[name], name.EndsWith(".css", StringComparison.Ordinal) ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8");

    internal static Task Write(HttpContext context, byte[] bytes, string type)
    {
        var headers = context.Response.Headers;
        headers.ContentSecurityPolicy = Policy;
        headers[HeaderNames.XFrameOptions] = "DENY";
        headers["Referrer-Policy"] = "no-referrer";
        headers["Cross-Origin-Resource-Policy"] = "same-origin";
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
