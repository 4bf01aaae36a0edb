using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace AsyncProbe.Cli.Sessions;

/// <summary>Reports options that don't do what they seem to do.</summary>
internal static class OptionsCheck
{
    /// <summary>Known options and the JSON kind each needs: s(tring), n(umber), b(ool), a(rray), o(bject).</summary>
    private static readonly Dictionary<string, char> Known = new(StringComparer.OrdinalIgnoreCase)
    {
        ["SiteBaseUrl"] = 's', ["ReplaceDomain"] = 's', ["ReplaceQueryStringValuePairs"] = 's', ["ReplaceCookieValue"] = 's',
        ["ReplaceAuthorization"] = 's', ["Username"] = 's', ["Password"] = 's', ["UserAgent"] = 's', ["HttpProtocolVersion"] = 's',
        ["FormattedPreviewTheme"] = 's', ["UsernamePasswordType"] = 's', ["OnlineSessionId"] = 's',
        ["DelayTimeMs"] = 'n', ["MaxResponseSize"] = 'n', ["RequestTimeoutMs"] = 'n', ["WarmupSeconds"] = 'n', ["LastThreads"] = 'n',
        ["LastSecondsToRun"] = 'n', ["ThreadCount"] = 'n', ["SecondsToRun"] = 'n', ["MaxConnections"] = 'n',
        ["RemoveStartAndEndPercentile"] = 'n',
        ["NoProgressEvents"] = 'b', ["NoContentDecompression"] = 'b', ["CaptureMinimalResponseData"] = 'b', ["RandomizeRequests"] = 'b',
        ["IgnoreCertificateErrors"] = 'b', ["TrackPerSessionCookies"] = 'b', ["ReloadTemplates"] = 'b', ["UseCustomUsers"] = 'b',
        ["UpdateHeadersFromRequest"] = 'b', ["Users"] = 'a', ["RecentSiteBaseUrlList"] = 'a', ["Documentation"] = 'a',
        ["SessionVariables"] = 'o',
    };

    public static void Run(SessionOptions options, OptionLines lines, SessionDiagnostics diagnostics)
    {
        foreach (var (name, value) in options.Json)
        {
            if (!Known.TryGetValue(name, out var kind))
            {
                Report(Severity.Note, name, $"The option {name} is unknown: it is kept in the file and has no effect.");
            }
            else if (SessionLimits.OfOptions.TryGetValue(name, out var most) && options.AnyNumber(name) > most)
            {
                Report(
                    Severity.Error, name,
                    string.Create(CultureInfo.InvariantCulture, $"{name} is {options.AnyNumber(name):N0}; the most is {most:N0}."));
            }
            else if (value is not null && !Fits(kind, value, options, name))
            {
                Report(
                    Severity.Warning, name,
                    $"The option {name} has a value of the wrong type ({value.GetValueKind().ToString().ToLowerInvariant()}); its default "
                        + "is used.");
            }
        }

        if (options.SiteBaseUrl is "")
        {
            Report(
                Severity.Warning, "SiteBaseUrl", "SiteBaseUrl \"\" breaks relative URLs in WebSurge, which reads it as \"/\"; write null.");
        }

        if (options.IgnoreCertificateErrors)
        {
            Report(Severity.Warning, "IgnoreCertificateErrors", "Certificates are checked even so; to accept any certificate, type -k.");
        }

        if (options.Password is { Length: > 0 })
        {
            Report(
                Severity.Warning, "Password",
                "The password is encrypted for one machine and cannot be read here. It is neither used nor saved.");
        }

        if (options.Number("RequestTimeoutMs") is { } timeout && timeout < 1000)
        {
            Report(
                Severity.Warning, "RequestTimeoutMs",
                $"RequestTimeoutMs {timeout} is read as milliseconds (at least 10); WebSurge 2 read it as seconds.");
        }

        // Null is not a number: the JSON keeps it, and the run uses the default.
        if (options.Number("LastThreads") is { } threads && options.Number("ThreadCount") is { } count && threads != count)
        {
            Report(Severity.Warning, "ThreadCount", $"LastThreads is {threads} and ThreadCount is {count}; {threads} is used.");
        }

        if (options.Number("LastSecondsToRun") is { } last && options.Number("SecondsToRun") is { } seconds && last != seconds)
        {
            Report(Severity.Warning, "SecondsToRun", $"LastSecondsToRun is {last} and SecondsToRun is {seconds}; {last} is used.");
        }

        void Report(Severity severity, string name, string message)
        {
            diagnostics.Add(new(severity, lines.Find(name), message));
        }
    }

    private static bool Fits(char kind, JsonNode value, SessionOptions options, string name) => kind switch
    {
        's' => value.GetValueKind() == JsonValueKind.String,
        'n' => options.Number(name) is not null,
        'b' => options.Flag(name) is not null,
        'a' => value is JsonArray,
        _ => value is JsonObject,
    };
}
