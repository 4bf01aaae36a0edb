using System.Diagnostics;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace AsyncProbe.Tests.Blocking.Catalogue;

/// <summary>Waits for another thread, another process, another server or the client.</summary>
internal static class OutsideSins
{
    public static void ThreadJoin()
    {
        var thread = OtherThread.Start();
        Here.Next();
        thread.Join();
    }

    /// <summary>A process that ends after a while without being stopped.</summary>
    public static Process ShortProcess() =>
        OperatingSystem.IsWindows() ? Process.Start("ping", "-n 2 127.0.0.1") : Process.Start("sleep", "0.1");

    // Not disposed here, because disposing waits for a lock of the runtime while another child ends.
    public static void ProcessWaitForExit()
    {
        var process = ShortProcess();
        Here.Next();
        process.WaitForExit();
    }

    public static void HttpClientSend()
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, "/slow");
        Sins.Waiter = Waiter.HereInNativeCode();
        Here.Next();
        using var response = Sins.Http.Send(request);
    }

    public static void HttpClientGetResult()
    {
        Sins.Waiter = Waiter.Here();
        var task = Sins.Http.GetStringAsync(new Uri("/slow", UriKind.Relative));
        Here.Next();
        _ = task.Result;
    }

    // The client sends the only byte of the body some time after the headers.
    public static void RequestBody(HttpContext context)
    {
        context.Features.GetRequiredFeature<IHttpBodyControlFeature>().AllowSynchronousIO = true;
        var buffer = new byte[16];
        Sins.Waiter = Waiter.Here();
        Here.Next();
        _ = context.Request.Body.Read(buffer);
    }
}
