namespace AsyncProbe.TestServer;

/// <summary>AsyncProbe's headers with constant figures, for comparison.</summary>
internal static class ConstantHeaders
{
    public static Task Write(object response)
    {
        var headers = ((HttpResponse)response).Headers;
        headers["X-ThreadPool-Available-Workers"] = "32766";
        headers["X-ThreadPool-Available-IO"] = "1000";
        headers["X-ThreadPool-Threads"] = "4";
        headers["X-ThreadPool-Pending"] = "0";
        headers["X-ThreadPool-Queue-Delay-Ms"] = "0.0";
        headers["X-AsyncProbe-Held-Ms"] = "0.0";
        headers["X-AsyncProbe-Cpu-Ms"] = "0.0";
        headers["X-AsyncProbe-Blocked-Ms"] = "0.0";
        headers["Server-Timing"] = "held;dur=0.0, cpu;dur=0.0, cpuwait;dur=0.0, blocked;dur=0.0, delay;dur=0.0";
        return Task.CompletedTask;
    }
}
