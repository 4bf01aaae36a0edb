namespace AsyncProbe.Sample.Sins;

/// <summary>Blocking that is deliberate and allowed.</summary>
internal static class AllowedSins
{
    public static Task InScope(HttpContext context, int ms)
    {
        using (BlockingScope.Allow("shown on purpose"))
        {
            Task.Delay(ms).Wait();
        }

        return Task.CompletedTask;
    }

    public static Task OnEndpoint(HttpContext context, int ms)
    {
        Task.Delay(ms).Wait();
        return Task.CompletedTask;
    }
}
