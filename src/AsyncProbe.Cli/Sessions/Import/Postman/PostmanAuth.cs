using System.Text.Json;
using AsyncProbe.Cli.Sessions.Import.Json;

namespace AsyncProbe.Cli.Sessions.Import.Postman;

/// <summary>Applies the authorization of a request, a folder or a collection, as a header or a query pair.</summary>
internal sealed class PostmanAuth(PostmanVariables variables, ImportedSecrets secrets, Action<Severity, string, string> say)
{
    /// <returns>The URL, with a query key if the authorization is one.</returns>
    public string Apply(JsonElement auth, string path, string url, ImportedHeaders headers)
    {
        switch (auth.Text("type"))
        {
            case null or "noauth":
                break;
            case "bearer":
                Secret("token", Value("token"));
                headers.Set("Authorization", "Bearer " + Value("token"));
                break;
            case "basic":
                Secret("password", Value("password"));
                Basic($"{Value("username")}:{Value("password")}");
                break;
            case "apikey":
                return Key(url, headers, Value("key"), Value("value"), Value("in"));
            case "oauth2" when Value("accessToken") is { Length: > 0 } token:
                Secret("accessToken", token);
                if (Value("addTokenTo") == "queryParams")
                {
                    return Add(url, "access_token", token);
                }

                headers.Set("Authorization", $"{(Value("headerPrefix") is { Length: > 0 } prefix ? prefix.Trim() : "Bearer")} {token}");
                break;
            case var other:
                say(
                    Severity.Warning, path,
                    $"The authorization \"{SafeText.From(other)}\" is not understood, so the request goes without it.");
                break;
        }

        return url;

        // Since version 2.1 this is a list of keys and values; before that, an object.
        string Value(string name)
        {
            var values = auth.Find(auth.Text("type")!);
            var value = values.ValueKind == JsonValueKind.Object
                ? values.Text(name)
                : values.Items().Select(item => item.Value).Where(item => item.Text("key") == name).Select(item => item.Text("value"))
                    .LastOrDefault();
            return variables.Expand(value ?? "", path);
        }

        void Secret(string name, string value) => secrets.Add(name, value);

        void Basic(string user)
        {
            if (user.Contains("{{", StringComparison.Ordinal))
            {
                say(
                    Severity.Warning, path,
                    "A variable of the basic authorization has no value: give --env with the environment's file, or give "
                        + "{{basic_credentials}} a value, user:password in base64.");
            }

            headers.Set("Authorization", ImportedUrl.Basic(user));
        }
    }

    private string Key(string url, ImportedHeaders headers, string name, string value, string place)
    {
        if (name.Length == 0)
        {
            return url;
        }

        secrets.Add(name, value);
        if (place == "query")
        {
            return Add(url, name, value);
        }

        headers.Set(name, value);
        return url;
    }

    private static string Add(string url, string name, string value) =>
        $"{url}{(url.Contains('?', StringComparison.Ordinal) ? '&' : '?')}{ImportedBody.Escape(name)}={ImportedBody.Escape(value)}";
}
