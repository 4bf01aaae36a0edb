using System.Diagnostics;
using System.Reflection;
using AsyncProbe.Common;

namespace AsyncProbe.Reporting.Json;

/// <summary>Which program this is: a page in a browser's tab, or a saved report, must say whose figures it shows.</summary>
internal static class ProcessIdentity
{
    private static Start? s_start;

    /// <summary>The program's, not that of <c>dotnet</c>, which runs it.</summary>
    public static string Name { get; } = Assembly.GetEntryAssembly()?.GetName().Name ?? AppDomain.CurrentDomain.FriendlyName;

    /// <summary>The program's version as its build wrote it; null when there is none.</summary>
    public static string? Version { get; } = VersionOf(Assembly.GetEntryAssembly());

    public static string? OwnVersion { get; } = VersionOf(typeof(ProcessIdentity).Assembly);

    /// <summary>
    /// When the process started; null while the operating system does not say, as when the process has no descriptor left. The next
    /// caller asks again.
    /// </summary>
    public static DateTime? StartedAt => (s_start ??= FindStart())?.At;

    private static Start? FindStart()
    {
        try
        {
            using var process = Process.GetCurrentProcess();
            return new Start(process.StartTime.ToUniversalTime());
        }
        catch (Exception)
        {
            Faults.NoteQuietly();
            return null;
        }
    }

    // A build adds the commit after a plus sign.
    private static string? VersionOf(Assembly? assembly) =>
        assembly?.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0];

    private sealed record Start(DateTime At);
}
