namespace AsyncProbe;

/// <summary>
/// Settings of AsyncProbe, bound from the configuration section <c>AsyncProbe</c> and checked when the host starts.
/// </summary>
/// <example>
/// <code language="json">
/// {
///   "AsyncProbe": {
///     "EmitHeaders": true,
///     "QueueingThreshold": "00:00:00.050",
///     "Allow": [ { "MethodPrefix": "Shop.Legacy.", "Reason": "replaced next year" } ]
///   }
/// }
/// </code>
/// </example>
public sealed class AsyncProbeOptions
{
    /// <summary>Whether AsyncProbe does anything. False installs nothing: the switch for an emergency. Default true.</summary>
    public bool Enabled { get; set; } = true;

    /// <summary>Whether call sites were to be looked for, where none can be named.</summary>
    internal bool LacksCallSites { get; set; }

    /// <summary>Whether responses carry the <c>X-ThreadPool-*</c>, <c>X-AsyncProbe-*</c> and <c>Server-Timing</c> headers.
    /// Default null: in Development only.</summary>
    public bool? EmitHeaders { get; set; }

    /// <summary>Which requests carry the wait hook. Default null: <see cref="BlockingDetection.Always"/> in Development,
    /// else <see cref="BlockingDetection.WhenBlocking"/>.</summary>
    public BlockingDetection? Detection { get; set; }

    /// <summary>Whether the report shows the stacks of call sites and the text of their lines. Default null: in Development only.</summary>
    public bool? IncludeStacks { get; set; }

    /// <summary>The shortest wait that is reported with its call site. Default 1 ms, from 0.1 ms to 1 min.</summary>
    public TimeSpan MinimumBlocked { get; set; } = TimeSpan.FromMilliseconds(1);

    /// <summary>How many endpoints get a row of their own; the rest share the row "(other)". Default 1000, from 1 to 100,000.</summary>
    public int MaxEndpoints { get; set; } = 1000;

    /// <summary>
    /// Names of the activity sources whose activities are measured as operations: work that is no request. A <c>*</c> at the end stands for
    /// any rest. Default: SignalR's server (<c>Microsoft.AspNetCore.SignalR.Server</c>) and Blazor
    /// (<c>Microsoft.AspNetCore.Components*</c>). Names in the configuration are added to them; <c>Clear()</c> in code takes them away.
    /// Activities of calls to others (kinds client and producer) are no operations, nor are those of HTTP requests.
    /// </summary>
    public IList<string> ActivitySources { get; } = ["Microsoft.AspNetCore.SignalR.Server", "Microsoft.AspNetCore.Components*"];

    /// <summary>How many operations get a row of their own; the rest share the row "(other)". Default 200, from 1 to 100,000.</summary>
    public int MaxOperations { get; set; } = 200;

    /// <summary>How many call sites get a row of their own; the rest share the row "(other)". Default 500, from 1 to 100,000.</summary>
    public int MaxSites { get; set; } = 500;

    /// <summary>
    /// How many frames the live page's flame graph has at most; the time of further ones stays with their callers. Default 5000, from 100
    /// to 100,000.
    /// </summary>
    public int MaxStackNodes { get; set; } = 5000;

    /// <summary>
    /// How many warnings about call sites may be logged in an hour; further ones are logged at Debug. Default 60, from 0 to 10,000.
    /// </summary>
    public int MaxWarningsPerHour { get; set; } = 60;

    /// <summary>
    /// Names of the assemblies that hold your code. The call site of a wait is the first frame of your code on its stack. Default empty:
    /// the entry assembly and the projects it was built with.
    /// </summary>
    public IList<string> UserAssemblies { get; } = [];

    /// <summary>Rules for waits that you accept. Such waits are counted under their reason and raise no warning. Default empty.</summary>
    public IList<AllowRule> Allow { get; } = [];

    /// <summary>The queue delay from which the pool is called queueing. Default 50 ms, from 1 ms to 1 min.</summary>
    public TimeSpan QueueingThreshold { get; set; } = TimeSpan.FromMilliseconds(50);

    /// <summary>The queue delay from which the pool is called starved. Default 500 ms, from 1 ms to 10 min, not below
    /// <see cref="QueueingThreshold"/>.</summary>
    public TimeSpan StarvedThreshold { get; set; } = TimeSpan.FromMilliseconds(500);

    /// <summary>How far back the report's history of the pool goes, in samples of one second. Default 15 min, from 10 s to 24 h.</summary>
    public TimeSpan History { get; set; } = TimeSpan.FromMinutes(15);

    /// <summary>Whether callers on this machine may see the report outside Development. Only for machines without a proxy, tunnel or relay:
    /// a request that one of these passes on may look as if it came from the machine itself. Default false.</summary>
    public bool AllowLocal { get; set; }

    /// <summary>
    /// Whether everybody may see the report outside Development, without authorization. For closed networks. Default false.
    /// </summary>
    public bool AllowRemote { get; set; }

    /// <summary>
    /// Whether those who may see the report may also ask for a stack snapshot (<c>POST /_threadpool/snapshot</c>) outside Development. Each
    /// snapshot stops all threads for a moment. Default false.
    /// </summary>
    public bool AllowSnapshotRequests { get; set; }

    /// <summary>A local port on which everybody may see the report outside Development. Use a port that only operators can reach.
    /// Default null: none. From 1 to 65,535.</summary>
    public int? ManagementPort { get; set; }

    /// <summary>
    /// A loopback port on which a thread of its own serves the report and its page, even while no pool thread is free.
    /// Default null: nothing listens. From 1 to 65,535.
    /// </summary>
    public int? LifelinePort { get; set; }

    /// <summary>The share of requests that is measured. Lower it only for extreme loads. Default 1.0, above 0 and up to 1.</summary>
    public double SampleRate { get; set; } = 1.0;
}
