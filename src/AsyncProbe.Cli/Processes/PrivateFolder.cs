using System.Runtime.InteropServices;
using AsyncProbe.Cli.Server;

namespace AsyncProbe.Cli.Processes;

/// <summary>
/// A folder that only the target's user can read and write. It lies in the target's own file system, next to its diagnostics socket. Any
/// user could have created a folder with this name, so an existing one is used only if it is exactly as this class creates it.
/// </summary>
internal static partial class PrivateFolder
{
    private const UnixFileMode Private = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;
    private const UnixFileMode PrivateFile = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    // From <fcntl.h> and <linux/stat.h>; this structure is the same on all architectures.
    private const int CurrentFolder = -100;
    private const int NotThroughLinks = 0x100;
    private const uint TypeModeAndOwner = 0x1 | 0x2 | 0x8;
    private const int UserOffset = 20;
    private const int ModeOffset = 28;
    private const int Folder0700 = 0x4000 | 0x1C0;

    private const int MostAttempts = 100;

    /// <exception cref="ProcessException">It cannot be created, or another user created one with that name.</exception>
    public static void Create(string path, uint? owner)
    {
        // A probe that leaves may remove the folder at any moment.
        bool? isPrivate;
        var attempts = 0;
        do
        {
            Make(path, owner);
            isPrivate = FindPrivate(path, owner);
        }
        while (isPrivate is null && ++attempts < MostAttempts);

        if (isPrivate is not true)
        {
            throw new ProcessException(isPrivate is null
                ? $"The folder {path} is removed as soon as it is created. Another program seems to clean up there; try again later."
                : $"The folder {path} belongs to another user, or is open to others. Remove it and try again.");
        }
    }

    /// <summary>
    /// Writes a file that only the owner can read. Replaces an existing file instead of overwriting it, because the target may have it
    /// mapped.
    /// </summary>
    public static void Write(string path, byte[] content, uint? owner)
    {
        if (File.Exists(path) && File.ReadAllBytes(path).AsSpan().SequenceEqual(content))
        {
            return;
        }

        // Another tool may write the same file at this moment.
        var part = $"{path}.{Guid.NewGuid():N}.part";
        var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = PrivateFile;
        }

        using (var file = new FileStream(part, options))
        {
            file.Write(content);
        }

        Give(part, owner);
        File.Move(part, path, overwrite: true);
    }

    /// <summary>Creates a folder within the private one.</summary>
    /// <exception cref="IOException">The private one is gone. It must not be created again here, where others could read it.</exception>
    public static void CreateInside(string path, uint? owner)
    {
        if (Directory.Exists(path))
        {
            return;
        }

        if (OperatingSystem.IsWindows())
        {
            Directory.CreateDirectory(path);
            return;
        }

        if (MakeFolder(path, (uint)Private) != 0 && !Directory.Exists(path))
        {
            throw new IOException($"The folder {path} cannot be created (error {Marshal.GetLastPInvokeError()}).");
        }

        Give(path, owner);
    }

    /// <summary>Removes it. A process that has loaded files from it no longer needs them.</summary>
    public static void Remove(string path)
    {
        try
        {
            Directory.Delete(path, recursive: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // It is already gone or in use: Windows locks loaded files.
        }
    }

    /// <summary>Whether a folder is exactly as this class creates it for a user.</summary>
    public static bool IsPrivate(string path, uint? owner) => FindPrivate(path, owner) is true;

    /// <returns>Null if nothing is there.</returns>
    private static bool? FindPrivate(string path, uint? owner)
    {
        if (OperatingSystem.IsWindows())
        {
            return true;
        }

        if (!OperatingSystem.IsLinux())
        {
            return File.GetUnixFileMode(path) == Private;
        }

        Span<byte> facts = stackalloc byte[256];
        return GetStatus(CurrentFolder, path, NotThroughLinks, TypeModeAndOwner, ref MemoryMarshal.GetReference(facts)) != 0
            ? null
            : BitConverter.ToUInt16(facts[ModeOffset..]) == Folder0700
                && (owner is null || BitConverter.ToUInt32(facts[UserOffset..]) == owner);
    }

    private static void Make(string path, uint? owner)
    {
        try
        {
            if (OperatingSystem.IsWindows())
            {
                Directory.CreateDirectory(path);
            }
            else if (!Directory.Exists(path))
            {
                Directory.CreateDirectory(path, Private);
                GiveUnlessRemoved(path, owner);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new ProcessException($"The folder {path} cannot be written, and the process could not load anything from it: {e.Message}", e);
        }
    }

    // The caller then creates it again.
    private static void GiveUnlessRemoved(string path, uint? owner)
    {
        try
        {
            Give(path, owner);
        }
        catch (IOException) when (!Directory.Exists(path))
        {
        }
    }

    private static void Give(string path, uint? owner)
    {
        if (owner is { } user && CurrentUser.IsRoot && user != 0 && ChangeOwner(path, user, uint.MaxValue) != 0)
        {
            throw new IOException($"{path} cannot be given to {UserNames.Find(user)}.");
        }
    }

    [LibraryImport("libc", EntryPoint = "mkdir", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int MakeFolder(string path, uint mode);

    [LibraryImport("libc", EntryPoint = "statx", StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int GetStatus(int folder, string path, int flags, uint mask, ref byte facts);

    [LibraryImport("libc", EntryPoint = "lchown", StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int ChangeOwner(string path, uint user, uint group);
}
