using System.Text;
using AsyncProbe.Common;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.AspNetCore.Routing.Patterns;

namespace AsyncProbe.Requests.Endpoints;

/// <summary>Names requests by route template, never by path, so that the table stays bounded and contains no user data.</summary>
internal static class EndpointName
{
    /// <summary>The route template with a leading slash, or null for an endpoint that routing didn't create.</summary>
    public static string? RouteOf(Endpoint endpoint) =>
        endpoint is RouteEndpoint { RoutePattern: var pattern } ? "/" + TemplateOf(pattern).TrimStart('/') : null;

    /// <summary>Turns methods that HTTP doesn't define into <c>_OTHER</c>, or a client could fill the table.</summary>
    public static string MethodOf(string method)
    {
        var canonical = HttpMethods.GetCanonicalizedValue(method);
        return canonical is "GET" or "HEAD" or "POST" or "PUT" or "DELETE" or "PATCH" or "OPTIONS" or "TRACE" or "CONNECT" or "QUERY"
            ? canonical
            : RowNames.OtherMethod;
    }

    // A conventional route serves many actions under one template, so fill in its {controller} and {action}.
    private static string TemplateOf(RoutePattern pattern)
    {
        var fills = pattern.Parameters.Any(
            p => pattern.RequiredValues.TryGetValue(p.Name, out var value) && value is string { Length: > 0 });
        if (!fills && pattern.RawText is { } raw)
        {
            return raw;
        }

        var name = new StringBuilder();
        foreach (var segment in pattern.PathSegments)
        {
            name.Append('/');
            foreach (var part in segment.Parts)
            {
                name.Append(TextOf(part, pattern));
            }
        }

        return name.ToString();
    }

    private static string TextOf(RoutePatternPart part, RoutePattern pattern) => part switch
    {
        RoutePatternLiteralPart literal => literal.Content,
        RoutePatternSeparatorPart separator => separator.Content,
        RoutePatternParameterPart parameter when pattern.RequiredValues.TryGetValue(parameter.Name, out var value)
            && value is string { Length: > 0 } text => text,
        RoutePatternParameterPart { IsCatchAll: true } parameter => $"{{*{parameter.Name}}}",
        RoutePatternParameterPart { IsOptional: true } parameter => $"{{{parameter.Name}?}}",
        RoutePatternParameterPart parameter => $"{{{parameter.Name}}}",
        _ => "",
    };
}
