using System.Text.Json;
using AsyncProbe.Cli.Sessions.Import.Json;

namespace AsyncProbe.Cli.Sessions.Import.Postman;

/// <summary>Reads an environment file, or any other list of keys and values.</summary>
internal static class PostmanEnvironment
{
    /// <exception cref="SessionException">The file cannot be read or is not an environment.</exception>
    public static async Task<Dictionary<string,
        string>> ReadAsync(string file, ImportedSecrets secrets, CancellationToken cancellationToken)
    {
        try
        {
            await using var stream = File.OpenRead(file);
            using var json = await JsonDocument.ParseAsync(stream, LenientJson.Document, cancellationToken);
            return json.RootElement.Find("values").ValueKind == JsonValueKind.Array
                ? Read(json.RootElement.Find("values"), secrets)
                : throw new SessionException($"{file} is not a Postman environment: it has no list of values.");
        }
        catch (JsonException e)
        {
            throw new SessionException($"{file}({(e.LineNumber ?? 0) + 1}): error: this is not JSON.");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new SessionException($"The environment {file} cannot be read: {e.Message.TrimEnd('.')}.");
        }
    }

    /// <summary>If two keys are equal, the last one counts, as in Postman.</summary>
    public static Dictionary<string, string> Read(JsonElement list, ImportedSecrets secrets)
    {
        var values = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var (variable, _) in list.Items())
        {
            if ((variable.Text("key") ?? variable.Text("id")) is not { } key || variable.IsFalse("enabled") || variable.IsTrue("disabled"))
            {
                continue;
            }

            var value = variable.Text("value") ?? "";
            values[key] = value;
            if (variable.Text("type") == "secret")
            {
                secrets.Add(key, value);
            }

            secrets.AddIfNamedSo(key, value);
        }

        return values;
    }
}
