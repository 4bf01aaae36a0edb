using System.IO.Pipes;
using System.Runtime.InteropServices;
using Microsoft.AspNetCore.Http.Features;

namespace AsyncProbe.Sample.Sins;

/// <summary>Waits inside the operating system, without a managed wait.</summary>
internal static partial class IOSins
{
    public static int ReadPipe(int ms)
    {
        using var slow = new AnonymousPipeServerStream(PipeDirection.Out);
        using var reader = new AnonymousPipeClientStream(PipeDirection.In, slow.ClientSafePipeHandle);
        Holder.After(ms, () => slow.WriteByte(1));
        var item = reader.ReadByte();
        return item;
    }

    public static int Native(int ms)
    {
        Rest(ms);
        return ms;
    }

    public static int NativeShort(int ms)
    {
        Rest(0);
        return ms;
    }

    public static async Task ReadBody(HttpContext context, int ms)
    {
        context.Features.GetRequiredFeature<IHttpBodyControlFeature>().AllowSynchronousIO = true;
        DrainBody(context.Request.Body);
        await Task.CompletedTask;
    }

    public static Task ReadBodyAsync(HttpContext context, int ms) => context.Request.Body.CopyToAsync(Stream.Null, context.RequestAborted);

    // A slow client reads the response. Kestrel then lets the writer await instead of blocking the thread.
    public static async Task Download(HttpContext context, int ms)
    {
        var chunk = new byte[64 * 1024];
        for (var i = 0; i < 64; i++)
        {
            await context.Response.Body.WriteAsync(chunk, context.RequestAborted);
        }
    }

    private static void DrainBody(Stream body)
    {
        var buffer = new byte[4096];
        while (body.Read(buffer) > 0)
        {
            // Only the wait matters here.
        }
    }

    private static void Rest(int ms)
    {
        if (OperatingSystem.IsWindows())
        {
            SleepWindows((uint)ms);
        }
        else
        {
            _ = SleepUnix((uint)ms * 1000);
        }
    }

    [LibraryImport("kernel32", EntryPoint = "Sleep")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    private static partial void SleepWindows(uint milliseconds);

    [LibraryImport("libc", EntryPoint = "usleep")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int SleepUnix(uint microseconds);
}
