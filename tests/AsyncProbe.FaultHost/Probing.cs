namespace AsyncProbe.FaultHost;

/// <summary>AsyncProbe with all its features.</summary>
internal static class Probing
{
    public static void Add(IServiceCollection services, int? lifeline, BlockingDetection detection = BlockingDetection.Always)
    {
        services.AddAsyncProbe(options =>
        {
            options.AllowLocal = true;
            options.AllowSnapshotRequests = true;
            options.Detection = detection;
            options.LifelinePort = lifeline;
            options.EmitHeaders = true;
            options.Allow.Add(new AllowRule { MethodPrefix = "AsyncProbe.FaultHost.Allowed.", Reason = "on purpose" });
        }).AddStackSnapshots();
        services.AddHealthChecks().AddAsyncProbe();
    }
}
