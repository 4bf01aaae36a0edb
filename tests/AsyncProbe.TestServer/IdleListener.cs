using System.Diagnostics;

namespace AsyncProbe.TestServer;

/// <summary>Subscribes to SignalR as AsyncProbe does, but does nothing, which shows the cost of the activities themselves.</summary>
internal static class IdleListener
{
    public static void Add() => ActivitySource.AddActivityListener(new ActivityListener
    {
        ShouldListenTo = source => source.Name == "Microsoft.AspNetCore.SignalR.Server",
        Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.PropagationData,
        SampleUsingParentId = static (ref ActivityCreationOptions<string> _) => ActivitySamplingResult.PropagationData,
        ActivityStarted = static _ => { },
        ActivityStopped = static _ => { },
    });
}
