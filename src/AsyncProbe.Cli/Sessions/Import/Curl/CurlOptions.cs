namespace AsyncProbe.Cli.Sessions.Import.Curl;

/// <summary>curl's options, grouped by what they mean for a session.</summary>
internal static class CurlOptions
{
    /// <summary>The short names of the options below.</summary>
    private static readonly Dictionary<char, string> s_short = new()
    {
        ['X'] = "request", ['H'] = "header", ['d'] = "data", ['G'] = "get", ['u'] = "user", ['b'] = "cookie", ['F'] = "form",
        ['A'] = "user-agent",
        ['e'] = "referer", ['I'] = "head", ['T'] = "upload-file", ['K'] = "config", ['x'] = "proxy", ['E'] = "cert", ['k'] = "insecure",
        ['g'] = "globoff",
        ['s'] = "silent", ['S'] = "show-error", ['v'] = "verbose", ['i'] = "include", ['f'] = "fail", ['L'] = "location",
        ['N'] = "no-buffer",
        ['O'] = "remote-name", ['J'] = "remote-header-name", ['o'] = "output", ['w'] = "write-out", ['m'] = "max-time",
        ['D'] = "dump-header",
        ['c'] = "cookie-jar", ['#'] = "progress-bar", ['4'] = "ipv4", ['6'] = "ipv6", ['Z'] = "parallel", ['0'] = "http1.0", [':'] = "next",
        ['r'] = "range", ['U'] = "proxy-user", ['n'] = "netrc", ['z'] = "time-cond", ['C'] = "continue-at", ['y'] = "speed-time",
        ['Y'] = "speed-limit", ['j'] = "junk-session-cookies", ['q'] = "disable",
        ['P'] = "ftp-port", ['Q'] = "quote", ['t'] = "telnet-option", ['h'] = "help", ['p'] = "proxytunnel", ['R'] = "remote-time",
    };

    /// <summary>Options that take a value and shape the request.</summary>
    private static readonly HashSet<string> s_read =
    [
        "request", "header", "data", "data-ascii", "data-raw", "data-binary", "data-urlencode", "json", "user", "cookie", "form",
        "form-string",
        "user-agent", "referer", "upload-file", "url", "url-query", "oauth2-bearer", "range",
    ];

    /// <summary>Options that take no value and shape the request.</summary>
    private static readonly HashSet<string> s_flags = ["get", "head", "globoff", "next"];

    /// <summary>Options about the output, or about something that a session does anyway.</summary>
    private static readonly HashSet<string> s_harmless =
    [
        "silent", "show-error", "verbose", "include", "fail", "fail-with-body", "location", "no-buffer", "remote-name",
        "remote-header-name", "progress-bar",
        "compressed", "http1.1", "no-progress-meter", "parallel", "basic", "disable", "styled-output", "no-styled-output", "create-dirs",
        "no-keepalive", "tcp-nodelay", "remote-time",
    ];

    private static readonly HashSet<string> s_harmlessWithValue =
    [
        "output", "write-out", "max-time", "connect-timeout", "dump-header", "cookie-jar", "stderr", "trace", "trace-ascii", "output-dir",
    ];

    /// <summary>Options that take a value and change what is sent or where to, without an equivalent in a session.</summary>
    private static readonly HashSet<string> s_missingWithValue =
    [
        "config", "proxy", "proxy-user", "cert", "cert-type", "key", "key-type", "pass", "cacert", "capath", "resolve", "connect-to",
        "interface", "retry", "retry-delay",
        "retry-max-time", "max-redirs", "limit-rate", "time-cond", "continue-at", "speed-time", "speed-limit", "unix-socket", "aws-sigv4",
        "ciphers", "noproxy", "socks5",
        "socks5-hostname", "local-port", "dns-servers", "doh-url", "max-filesize", "netrc-file", "tls-max", "rate", "proxy-header",
        "preproxy", "abstract-unix-socket", "alt-svc", "create-file-mode", "crlfile", "curves", "delegation", "dns-interface",
        "dns-ipv4-addr", "dns-ipv6-addr", "ech", "egd-file", "engine", "etag-compare", "etag-save", "expect100-timeout", "ftp-account",
        "ftp-alternative-to-user", "ftp-method", "ftp-port", "ftp-ssl-ccc-mode", "happy-eyeballs-timeout-ms", "haproxy-clientip", "help",
        "hostpubmd5", "hostpubsha256", "hsts", "ip-tos", "ipfs-gateway", "keepalive-cnt", "keepalive-time", "krb", "libcurl",
        "login-options", "mail-auth", "mail-from", "mail-rcpt", "parallel-max", "parallel-max-host", "pinnedpubkey", "proto",
        "proto-default", "proto-redir", "proxy-cacert", "proxy-capath", "proxy-cert", "proxy-cert-type", "proxy-ciphers", "proxy-crlfile",
        "proxy-key", "proxy-key-type", "proxy-pass", "proxy-pinnedpubkey", "proxy-service-name", "proxy-tls13-ciphers",
        "proxy-tlsauthtype", "proxy-tlspassword", "proxy-tlsuser", "proxy1.0", "pubkey", "quote", "random-file", "request-target",
        "sasl-authzid", "service-name", "sigalgs", "socks4", "socks4a", "socks5-gssapi-service", "ssl-sessions", "telnet-option",
        "tftp-blksize", "tls13-ciphers", "tlsauthtype", "tlspassword", "tlsuser", "trace-config", "upload-flags", "variable",
        "vlan-priority",
    ];

    /// <returns>Null for a letter that is not an option.</returns>
    public static string? Long(char letter) => s_short.GetValueOrDefault(letter);

    public static bool TakesValue(string name) =>
        s_read.Contains(name) || s_harmlessWithValue.Contains(name) || s_missingWithValue.Contains(name);

    public static bool IsRead(string name) => s_read.Contains(name) || s_flags.Contains(name);

    public static bool IsHarmless(string name) => s_harmless.Contains(name) || s_harmlessWithValue.Contains(name);
}
