using System.Reflection;

namespace AsyncProbe.Reporting.Json;

/// <summary>Which program this is: a page in a browser's tab, or a saved report, must say whose figures it shows.</summary>
internal static class ProcessIdentity
{
    /// <summary>The program's, not that of <c>dotnet</c>, which runs it.</summary>
    public static string Name { get; } = Assembly.GetEntryAssembly()?.GetName().Name ?? AppDomain.CurrentDomain.FriendlyName;

    /// <summary>The program's version as its build wrote it; null when there is none.</summary>
    public static string? Version { get; } = VersionOf(Assembly.GetEntryAssembly());

    public static string? OwnVersion { get; } = VersionOf(typeof(ProcessIdentity).Assembly);

    // A build adds the commit after a plus sign.
    private static string? VersionOf(Assembly? assembly) =>
        assembly?.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0];
}
