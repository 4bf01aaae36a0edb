using System.Text.Json;
using AsyncProbe.Rules;

namespace AsyncProbe.Cli.Joining;

/// <summary>The names of verdicts as the server writes them.</summary>
internal static class EndpointVerdict
{
    public const string AsyncWillHelp = "asyncWillHelp";
    public const string LockContention = "lockContention";
    public const string ProviderIsSynchronous = "providerIsSynchronous";
    public const string CpuBound = "cpuBound";
    public const string AlreadyAsync = "alreadyAsync";
    public const string Fine = "fine";
    public const string NotEnoughData = "notEnoughData";

    private static readonly HashSet<string> s_known = [.. Enum.GetValues<Verdict>().Select(Name)];

    public static string Name(Verdict verdict) => JsonNamingPolicy.CamelCase.ConvertName(verdict.ToString());

    /// <summary>Whether this version of the tool has the rules for the verdict.</summary>
    public static bool IsKnown(string verdict) => s_known.Contains(verdict);
}
