using System.Text.Json.Nodes;
using Microsoft.OpenApi;

namespace AsyncProbe.Cli.Sessions.Import.OpenApi;

/// <summary>
/// Finds a value for something that a document describes: an example, otherwise a default, otherwise the first allowed value.
/// </summary>
internal sealed class OpenApiValues
{
    /// <summary>Schemas may nest so deeply that the value would be unreadable or take too long to create.</summary>
    private const int MostSchemas = 500;

    /// <summary>The schemas that contain the current one, so that none is put inside itself.</summary>
    private readonly HashSet<string> _around = new(StringComparer.Ordinal);
    private int _seen;

    private OpenApiValues()
    {
    }

    public static JsonNode? Find(IOpenApiParameter parameter) =>
        parameter.Example ?? First(parameter.Examples) ?? (parameter.Content?.Values.FirstOrDefault() is { } media ? Find(media) : null)
            ?? new OpenApiValues().Find(parameter.Schema);

    public static JsonNode? Find(IOpenApiMediaType media) =>
        media.Example ?? First(media.Examples) ?? new OpenApiValues().Find(media.Schema);

    private static JsonNode? First(IDictionary<string, IOpenApiExample>? examples) =>
        examples?.Values.Select(example => example?.Value ?? example?.DataValue).FirstOrDefault(value => value is not null);

    private JsonNode? Find(IOpenApiSchema? schema)
    {
        var name = (schema as OpenApiSchemaReference)?.Reference.ReferenceV3;
        if (schema is null || ++_seen > MostSchemas || (name is not null && !_around.Add(name)))
        {
            return null;
        }

#pragma warning disable CS0618 // Documents of version 3.0 use it.
        var example = schema.Example;
#pragma warning restore CS0618
        var value = example ?? schema.Examples?.FirstOrDefault() ?? schema.Default ?? schema.Enum?.FirstOrDefault()
            ?? (schema.Const is { } constant ? JsonValue.Create(constant) : null)
            ?? Composed(schema) ?? (Find(schema.Items) is { } item ? new JsonArray(item.DeepClone()) : null);
        if (name is not null)
        {
            _around.Remove(name);
        }

        return value;
    }

    /// <summary>Combines all parts of allOf, one alternative, and the schema's own properties.</summary>
    private JsonNode? Composed(IOpenApiSchema schema)
    {
        var parts = (schema.AllOf ?? []).Select(Find).Append(Choice(schema)).OfType<JsonNode>().ToList();
        var whole = new JsonObject();
        foreach (var (name, value) in parts.OfType<JsonObject>().Append(Properties(schema)).SelectMany(part => part))
        {
            whole[name] = value?.DeepClone();
        }

        return whole.Count > 0 ? whole : parts.Find(part => part is not JsonObject);
    }

    private JsonNode? Choice(IOpenApiSchema schema) =>
        (schema.OneOf ?? []).Concat(schema.AnyOf ?? []).Select(Find).FirstOrDefault(value => value is not null);

    /// <summary>The properties that have values, without read-only ones.</summary>
    private JsonObject Properties(IOpenApiSchema schema)
    {
        var found = new JsonObject();
        foreach (var (name, property) in schema.Properties ?? new Dictionary<string, IOpenApiSchema>())
        {
            if (property?.ReadOnly != true && Find(property) is { } value)
            {
                found[name] = value.DeepClone();
            }
        }

        return found;
    }
}
