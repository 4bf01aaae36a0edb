using System.Diagnostics;

namespace AsyncProbe.TestServer;

/// <summary>Listens to SignalR as AsyncProbe does, and does nothing: what is left is what activities cost by themselves.</summary>
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
