using System.Text.RegularExpressions;

namespace AsyncProbe.Cli.Sessions;

/// <summary>Masks what must never reach a terminal, a report or a build log.</summary>
internal static partial class Secrets
{
    public const string Mask = "***";

    public static string MaskHeader(SessionHeader header) => IsSecretName(header.Name) ? Mask : MaskText(header.Value);

    public static bool IsSecretName(string name) => SecretName().IsMatch(name);

    /// <summary>Masks a URL's user information and the query values whose names look secret.</summary>
    public static string MaskUrl(string url) => QuerySecret().Replace(UserInfo().Replace(url, "$1***@"), "$1***");

    /// <summary>Masks what looks like a credential in free text, such as an exception's message.</summary>
    public static string MaskText(string text) => MaskUrl(Credential().Replace(text, "$1 ***"));

    [GeneratedRegex("authorization|cookie|password|passwd|secret|token|api[-_]?key|signature|credential|session[-_]?id", RegexOptions.IgnoreCase)]
    private static partial Regex SecretName();

    [GeneratedRegex("([?&;](?:[^=&#\\s]*(?:authorization|cookie|password|passwd|pwd|secret|token|key|code|sig|signature|credential))=)[^&#\\s]+", RegexOptions.IgnoreCase)]
    private static partial Regex QuerySecret();

    [GeneratedRegex("(\\b[a-z][a-z0-9+.-]*://)[^/@\\s]+@", RegexOptions.IgnoreCase)]
    private static partial Regex UserInfo();

    [GeneratedRegex("\\b(Bearer|Basic|Negotiate|NTLM|Digest)\\s+[A-Za-z0-9._~+/=-]{6,}", RegexOptions.IgnoreCase)]
    private static partial Regex Credential();
}
