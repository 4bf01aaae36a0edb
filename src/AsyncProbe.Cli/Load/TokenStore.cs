using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Load;

/// <summary>Values captured from responses: each simulated thread's own, and the single authorization that all share.</summary>
internal sealed class TokenStore(SharedAuthorization shared)
{
    private readonly Dictionary<string, JsonNode?> _values = new(StringComparer.OrdinalIgnoreCase);

    public string? Authorization => shared.Value;

    /// <summary>Captures the values that the rules ask for from a JSON response; a missing value leaves the store unchanged.</summary>
    public void Capture(PreparedRequest request, ReadOnlyMemory<byte> response)
    {
        try
        {
            var json = LenientJson.Parse(Encoding.UTF8.GetString(response.Span));
            foreach (var rule in request.Captures)
            {
                if (JsonSearch.Find(json, rule.Lookup) is not { } value)
                {
                    continue;
                }

                _values[rule.Lookup] = value.DeepClone();
                if (rule.Kind == TokenKind.CaptureAuthorization)
                {
                    shared.Value = "Bearer " + value;
                }
            }
        }
        catch (JsonException)
        {
            // The response is not JSON. Later requests go without the token, which shows in their statuses.
        }
    }

    public string? Bearer(PreparedRequest request)
    {
        foreach (var rule in request.Injections)
        {
            if (rule.Kind == TokenKind.InjectBearer && _values.TryGetValue(rule.Lookup, out var value))
            {
                return "Bearer " + value;
            }
        }

        return null;
    }

    public byte[]? Inject(PreparedRequest request)
    {
        if (request.JsonBody is null)
        {
            return null;
        }

        try
        {
            var json = LenientJson.Parse(request.JsonBody);
            foreach (var rule in request.Injections)
            {
                if (rule.Kind == TokenKind.InjectJson && _values.TryGetValue(rule.Lookup, out var value)
                    && JsonSearch.FindProperty(json, rule.Property) is { } property)
                {
                    property.Owner[property.Name] = value?.DeepClone();
                }
            }

            return JsonSerializer.SerializeToUtf8Bytes(json);
        }
        catch (JsonException)
        {
            return null;
        }
    }
}
