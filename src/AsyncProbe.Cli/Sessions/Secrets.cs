using System.Buffers;
using System.Text.RegularExpressions;

namespace AsyncProbe.Cli.Sessions;

/// <summary>
/// Masks what must never reach a terminal, a report or a build log. The expressions don't backtrack, because hostile text would make them
/// slow. Views use <see cref="SafeText"/>, which also masks.
/// </summary>
internal static class Secrets
{
    private const string Hidden = "***";
    private const string SecretWord = "authorization|cookie|password|passwd|passcode|pwd|secret|token|api[-_]?key|access[-_]?key|signature|credential|session[-_]?id";

    /// <summary>Short words that occur inside other words, so they count only as the whole name.</summary>
    private const string SecretName = "otp|totp|pin|cvv|cvc|auth|x-auth";
    private const string Value = @"(""[^""]*""|'[^']*'|[^\s&;,""'#]+)";
    private const RegexOptions Linear = RegexOptions.NonBacktracking | RegexOptions.IgnoreCase | RegexOptions.CultureInvariant;

    /// <summary>Text without any of these can't contain a secret that the expressions find, which is true of most text.</summary>
    private static readonly SearchValues<string> s_signs = SearchValues.Create(
        ["://", "@", "auth", "cookie", "otp", "pin", "cvv", "cvc", "passcode", "passw", "pwd", "secret", "token", "key", "sig", "code=", "credential", "session", "bearer",
            "basic", "negotiate", "ntlm", "digest"],
        StringComparison.OrdinalIgnoreCase);

    /// <summary>A URL's user information: everything before its last @ within the authority.</summary>
    private static readonly Regex s_userInfo = new(@"(://)[^/?#\s]*@", Linear);

    /// <summary>User information of a URL without its scheme.</summary>
    private static readonly Regex s_login = new(@"(^|[\s""'=(])[^/?#\s:@""'=(]+:[^/?#\s@]+@", Linear);

    private static readonly Regex s_query = new($@"([?&](?:[^=&#\s?]*(?:{SecretWord}|key|code|sig)|{SecretName})=)[^&#\s]+", Linear);

    private static readonly Regex s_scheme = new(@"\b(Bearer|Basic|Negotiate|NTLM|Digest)(\s+)[^\s,;""']{6,}", Linear);

    /// <summary>A whole header line, as in <c>Cookie: a=b; c=d</c>.</summary>
    private static readonly Regex s_header = new(@"\b((?:proxy-)?authorization|x-[\w-]*auth[\w-]*|(?:set-)?cookie2?)(\s*:\s*)[^\r\n""']+", Linear);

    /// <summary>
    /// Name and value, as in <c>Password=x</c> and <c>"token": "x"</c>. A file with its line, <c>TokenStore.cs:42</c>, doesn't match.
    /// </summary>
    private static readonly Regex s_pair = new($@"((?:{SecretWord})[\w.-]*(?:[""']\s*[=:]|\s*=)\s*){Value}", Linear);

    /// <summary>The same for names that count only as a whole.</summary>
    private static readonly Regex s_name = new($@"((?:^|[\s,;&{{(\[""'])(?:{SecretName})(?:[""']\s*[=:]|\s*=)\s*){Value}", Linear);

    /// <summary>An XML element, as in <c>&lt;Password&gt;x&lt;/Password&gt;</c>.</summary>
    private static readonly Regex s_element = new(
        $@"(<(?:[\w.-]+:)?(?:[\w.-]*(?:{SecretWord})[\w.-]*|{SecretName})(?:\s[^<>]*)?>\s*)[^<\s][^<]*", Linear);

    /// <summary>In prose, as in <c>password: x</c>; after a slash it is the end of a path.</summary>
    private static readonly Regex s_words = new($@"((?:^|[\s,;(\[])[\w-]*(?:{SecretWord})[\w-]*\s*:\s+){Value}", Linear);

    /// <summary>A command-line option, as in <c>--token x</c>.</summary>
    private static readonly Regex s_option = new($@"(\s--?[\w-]*(?:{SecretWord})[\w-]*\s+)(""[^""]*""|'[^']*'|[^\s""'-][^\s""']*)", Linear);

    public static string Mask(string text)
    {
        if (!text.AsSpan().ContainsAny(s_signs))
        {
            return text;
        }

        text = s_userInfo.Replace(text, "$1" + Hidden + "@");
        text = s_login.Replace(text, "$1" + Hidden + "@");
        text = s_header.Replace(text, "$1$2" + Hidden);
        text = s_scheme.Replace(text, "$1$2" + Hidden);
        text = s_query.Replace(text, "$1" + Hidden);
        text = s_option.Replace(text, "$1" + Hidden);
        text = s_words.Replace(text, "$1" + Hidden);
        text = s_element.Replace(text, "$1" + Hidden);
        text = s_name.Replace(text, "$1" + Hidden);
        return s_pair.Replace(text, "$1" + Hidden);
    }
}
