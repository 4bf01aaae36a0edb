using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Text;

namespace AsyncProbe.TestServer;

/// <summary>A process that has no descriptor left for a while, and what the lifeline makes of a caller then.</summary>
internal static partial class Descriptors
{
    private const int OpenFiles = 7;

    /// <param name="port">The lifeline's.</param>
    /// <param name="seconds">For how long.</param>
    /// <returns>The exceptions of that time, and the answer afterwards.</returns>
    public static string RunOut(int port, int seconds)
    {
        // What is used for the first time may load an assembly, which needs a descriptor too.
        _ = Measure(port, TimeSpan.Zero, () => { }, () => { });
        _ = GetLimit(OpenFiles, out var limit);
        var lowered = limit;
        using (var lowest = File.OpenHandle("/dev/null"))
        {
            lowered.Soft = (ulong)lowest.DangerousGetHandle();
        }

        return Measure(port, TimeSpan.FromSeconds(seconds), () => Set(lowered), () => Set(limit));
    }

    private static string Measure(int port, TimeSpan time, Action lower, Action restore)
    {
        var exceptions = 0;
        void Count(object? sender, System.Runtime.ExceptionServices.FirstChanceExceptionEventArgs e) => Interlocked.Increment(ref exceptions);
        using var caller = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { ReceiveTimeout = 10_000 };
        AppDomain.CurrentDomain.FirstChanceException += Count;
        lower();
        try
        {
            caller.Connect(IPAddress.Loopback, port);
            caller.Send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"u8);
            Thread.Sleep(time);
        }
        finally
        {
            restore();
            AppDomain.CurrentDomain.FirstChanceException -= Count;
        }

        var answer = new byte[64];
        var length = caller.Receive(answer);
        return $"{exceptions} {Encoding.ASCII.GetString(answer, 0, length).Split('\r')[0]}";
    }

    private static void Set(Limit limit)
    {
        if (SetLimit(OpenFiles, in limit) != 0)
        {
            throw new InvalidOperationException($"The limit of open files cannot be set: {Marshal.GetLastPInvokeErrorMessage()}.");
        }
    }

    [LibraryImport("libc", EntryPoint = "getrlimit", SetLastError = true)]
    private static partial int GetLimit(int resource, out Limit limit);

    [LibraryImport("libc", EntryPoint = "setrlimit", SetLastError = true)]
    private static partial int SetLimit(int resource, in Limit limit);

    [StructLayout(LayoutKind.Sequential)]
    private struct Limit
    {
        public ulong Soft;
        public ulong Hard;
    }
}
