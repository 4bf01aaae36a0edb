using System.Diagnostics;
using System.Reflection;
using AsyncProbe.Common;

namespace AsyncProbe.Reporting.Json;

/// <summary>Identifies this program, so that a browser tab or a saved report shows where its figures come from.</summary>
internal static class ProcessIdentity
{
    private static Start? s_start;

    /// <summary>The program's name, even if <c>dotnet</c> runs it.</summary>
    public static string Name { get; } = Assembly.GetEntryAssembly()?.GetName().Name ?? AppDomain.CurrentDomain.FriendlyName;

    /// <summary>The program's informational version without the commit; null if it has none.</summary>
    public static string? Version { get; } = VersionOf(Assembly.GetEntryAssembly());

    public static string? OwnVersion { get; } = VersionOf(typeof(ProcessIdentity).Assembly);

    /// <summary>
    /// When the process started; null if the operating system can't say, for example because the process is out of file descriptors. The
    /// next read tries again.
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

    // The build appends the commit after a plus sign.
    private static string? VersionOf(Assembly? assembly) =>
        assembly?.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0];

    private sealed record Start(DateTime At);
}
