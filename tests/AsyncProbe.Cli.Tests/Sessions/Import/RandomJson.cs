using System.Text.Json;
using FsCheck;
using FsCheck.Fluent;

namespace AsyncProbe.Cli.Tests.Sessions.Import;

/// <summary>Random documents that use a format's own names, with values of the wrong type and the text cut off somewhere.</summary>
internal static class RandomJson
{
    public static Gen<string> Documents(Gen<string> names, Gen<string> words) =>
        from text in Value(names, words, 5)
        from cut in Gen.Frequency((5, Gen.Constant(1.0)), (1, Gen.Choose(0, 99).Select(percent => percent / 100.0)))
        select text[..(int)(text.Length * cut)];

    private static Gen<string> Value(Gen<string> names, Gen<string> words, int depth)
    {
        var word = words.Select(text => $"\"{JsonEncodedText.Encode(text.Replace("\uD800", ""))}{(text == "\uD800" ? "\\uD800" : "")}\"");
        if (depth == 0)
        {
            return word;
        }

        var inner = Value(names, words, depth - 1);
        var property = from name in names from value in inner select $"\"{name}\": {value}";
        return Gen.Frequency(
            (6, Gen.Choose(0, 6).SelectMany(length => Gen.ArrayOf(property, length)).Select(all => $"{{ {string.Join(",\n", all)} }}")),
            (3, Gen.Choose(0, 4).SelectMany(length => Gen.ArrayOf(inner, length)).Select(all => $"[ {string.Join(", ", all)} ]")),
            (3, word),
            (1, Gen.Elements("null", "true", "false", "1e999", "-1")));
    }
}
