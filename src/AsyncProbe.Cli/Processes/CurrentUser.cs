using System.Runtime.InteropServices;

namespace AsyncProbe.Cli.Processes;

/// <summary>The user who runs this tool.</summary>
internal static partial class CurrentUser
{
    private const uint Root = 0;

    /// <summary>The effective user's id; null except on Linux.</summary>
    public static uint? Id => OperatingSystem.IsLinux() ? GetEffectiveUserId() : null;

    public static bool IsRoot => Id == Root;

    /// <summary>Only the owner of a process and root may use its diagnostics socket.</summary>
    public static bool MayReach(ProcessEntry process) =>
        !OperatingSystem.IsLinux() || process.UserId is not { } owner || IsRoot || Id == owner;

    [LibraryImport("libc", EntryPoint = "geteuid")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial uint GetEffectiveUserId();
}
