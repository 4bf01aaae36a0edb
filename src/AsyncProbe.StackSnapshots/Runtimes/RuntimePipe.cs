using System.Globalization;
using System.IO.Pipes;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Security.Principal;
using Microsoft.Win32.SafeHandles;

namespace AsyncProbe.StackSnapshots.Runtimes;

/// <summary>The pipe on which the runtime accepts requests for event sessions on Windows.</summary>
[SupportedOSPlatform("windows")]
internal static partial class RuntimePipe
{
    /// <param name="process">The process id.</param>
    /// <param name="patience">How long to wait for the runtime to listen. After each request, it listens again within a moment.</param>
    /// <param name="longest">How long a single read may take.</param>
    /// <exception cref="IOException">No process listens, or the wrong one does.</exception>
    public static Stream Connect(int process, TimeSpan patience, TimeSpan longest)
    {
        // Any user can create a pipe with this name, so don't let the listener use this process's rights.
        var pipe = new NamedPipeClientStream(
            ".", string.Create(CultureInfo.InvariantCulture, $"dotnet-diagnostic-{process}"), PipeDirection.InOut, PipeOptions.None,
            TokenImpersonationLevel.Anonymous, HandleInheritability.None);
        try
        {
            pipe.Connect(patience);
            EnsureIsIts(process, pipe.SafePipeHandle);
            return new PatientStream(pipe, () => HasData(pipe.SafePipeHandle), longest);
        }
        catch (Exception e)
        {
            pipe.Dispose();
            throw e switch
            {
                TimeoutException => RuntimeServer.NoAnswer(patience, e),
                UnauthorizedAccessException => new IOException($"the runtime's diagnostics pipe cannot be opened: {e.Message}", e),
                _ => e,
            };
        }
    }

    private static void EnsureIsIts(int process, SafePipeHandle pipe)
    {
        if (!GetNamedPipeServerProcessId(pipe, out var listener))
        {
            throw new IOException("Windows does not tell whose the runtime's diagnostics pipe is, so it was not asked.");
        }

        if (listener != (uint)process)
        {
            throw new IOException($"the runtime's diagnostics pipe belongs to another process (number {listener}), which was not asked.");
        }
    }

    // A pipe whose other end was closed counts as having data, because a read then returns the end of the stream.
    private static bool HasData(SafePipeHandle pipe) => !PeekNamedPipe(pipe, 0, 0, 0, out var available, 0) || available > 0;

    [LibraryImport("kernel32", EntryPoint = "GetNamedPipeServerProcessId")]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool GetNamedPipeServerProcessId(SafePipeHandle pipe, out uint process);

    [LibraryImport("kernel32", EntryPoint = "PeekNamedPipe")]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool PeekNamedPipe(SafePipeHandle pipe, nint buffer, uint size, nint read, out uint available, nint left);
}
