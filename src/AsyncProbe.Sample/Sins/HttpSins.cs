using AsyncProbe.Sample.Upstream;

namespace AsyncProbe.Sample.Sins;

/// <summary>Waits for another service.</summary>
internal static class HttpSins
{
    public static Task Send(HttpContext context, int ms)
    {
        var upstream = Upstream(context);
        using var request = new HttpRequestMessage(HttpMethod.Get, upstream.WaitUri(ms));
        using var response = upstream.Http.Send(request);
        return Task.CompletedTask;
    }

    public static Task Result(HttpContext context, int ms)
    {
        var answer = Upstream(context).WaitAsync(ms).Result;
        return Task.FromResult(answer);
    }

    public static Task Awaited(HttpContext context, int ms) => Upstream(context).WaitAsync(ms, context.RequestAborted);

    private static UpstreamClient Upstream(HttpContext context) => context.RequestServices.GetRequiredService<UpstreamClient>();
}
