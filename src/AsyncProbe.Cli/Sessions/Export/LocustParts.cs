namespace AsyncProbe.Cli.Sessions.Export;

/// <summary>The parts of a Locust file that are the same for every session.</summary>
internal static class LocustParts
{
    /// <summary>Works like the runner's rules: finds a property at any depth, the outermost first; <c>a.b</c> is a path.</summary>
    public const string Tokens = """

        BEARER = {}


        def find(node, path, replacement=None):
            if isinstance(node, list):
                for item in node:
                    found = find(item, path, replacement)
                    if found is not None:
                        return found
            if not isinstance(node, dict):
                return None
            first, _, rest = path.partition(".")
            for name in node:
                if name.lower() == first.lower() and (node[name] is not None or replacement is not None and not rest):
                    if rest:
                        return find(node[name], rest, replacement)
                    if replacement is not None:
                        node[name] = replacement
                    return node[name]
            for value in node.values():
                found = find(value, path, replacement)
                if found is not None:
                    return found
            return None


        def as_text(value):
            return value if isinstance(value, str) else json.dumps(value)


        def inject(user, rules, headers, data):
            bearer = None
            for kind, lookup, name in rules:
                value = user.tokens.get(lookup.lower())
                if kind == "InjectBearer" and value is not None and bearer is None:
                    bearer = "Bearer " + as_text(value)
                if kind == "InjectJson" and value is not None and data:
                    try:
                        body = json.loads(data)
                        find(body, name, value)
                        data = json.dumps(body, separators=(",", ":")).encode("utf-8")
                    except ValueError:
                        pass
            if bearer is None and "Authorization" in headers:
                bearer = BEARER.get("value")
            if bearer is not None:
                headers["Authorization"] = bearer
            return data


        def capture(user, rules, response):
            for kind, lookup, name in rules:
                if kind.startswith("Capture"):
                    try:
                        value = find(response.json(), lookup)
                    except ValueError:
                        return
                    if value is not None:
                        user.tokens[lookup.lower()] = value
                        if kind == "CaptureAuthorization":
                            BEARER["value"] = "Bearer " + as_text(value)

        """;

    /// <param name="cookies">
    /// Whether a user keeps the cookies that it gets. A request's own cookies are added unless the user already has one with that name.
    /// </param>
    /// <param name="tokens">Whether values are captured and injected.</param>
    public static string Sending(bool cookies, bool tokens) => $$"""


        def send(user, method, url, name, headers=(), data=None, rules=()):
            sent = CaseInsensitiveDict()
            for header, value in headers:
                sent[header] = sent[header] + ", " + value if header in sent else value
        {{(tokens ? "    data = inject(user, rules, sent, data)\n" : "")}}{{(cookies ? Seed : "    user.client.cookies.clear()")}}
            sent = {header: value if value.isascii() else value.encode("utf-8") for header, value in sent.items()}
            {{(tokens ? "response = " : "")}}user.client.request(method, url, name=name, headers=sent, data=data, timeout=TIMEOUT)
        {{(tokens ? "    capture(user, rules, response)\n" : "")}}
        """;

    private const string Seed = """
            path = urlsplit(url).path.rpartition("/")[0] or "/"
            for pair in sent.pop("Cookie", "").split(";"):
                cookie, equals, value = pair.strip().partition("=")
                if equals and not any(known.name == cookie and path.startswith(known.path) for known in user.client.cookies):
                    user.client.cookies.set(cookie, value, path=path)
        """;
}
