using System.Text.Json.Nodes;
using YamlDotNet.Core;
using YamlDotNet.Serialization;

namespace AsyncProbe.Fleet.Tests;

/// <summary>YAML as JSON, with anchors and merges resolved.</summary>
internal static class Yaml
{
    private static readonly IDeserializer s_deserializer =
        new DeserializerBuilder().WithAttemptingUnquotedStringTypeDeserialization().Build();

    /// <summary>The single document in a file.</summary>
    public static JsonNode Read(params string[] parts) => ReadAll(parts).ShouldHaveSingleItem();

    public static IReadOnlyList<JsonNode> ReadAll(params string[] parts)
    {
        using var text = File.OpenText(Tool.Deploy(parts));
        var parser = new MergingParser(new Parser(text));
        List<JsonNode> documents = [];
        parser.Consume<YamlDotNet.Core.Events.StreamStart>();
        while (parser.Accept<YamlDotNet.Core.Events.DocumentStart>(out _))
        {
            documents.Add(Convert(s_deserializer.Deserialize<object>(parser))!);
        }

        return documents;
    }

    /// <summary>The texts in a list; empty without a list.</summary>
    public static IEnumerable<string> Texts(this JsonNode? list) => (list as JsonArray ?? []).Select(item => (string)item!);

    private static JsonNode? Convert(object? value) => value switch
    {
        null => null,
        IDictionary<object, object> map => new JsonObject(map.Select(pair => KeyValuePair.Create($"{pair.Key}", Convert(pair.Value)))),
        IList<object> list => new JsonArray([.. list.Select(Convert)]),
        string text => JsonValue.Create(text),
        bool flag => JsonValue.Create(flag),
        _ => JsonNode.Parse(System.Convert.ToString(value, System.Globalization.CultureInfo.InvariantCulture)!),
    };
}
