namespace AsyncProbe;

/// <summary>
/// Settings of AsyncProbe, bound from the configuration section <c>AsyncProbe</c> and validated when the host starts.
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
    /// <summary>
    /// Whether AsyncProbe is on. If false, it installs nothing, so you can use this option as an emergency switch. Default true.
    /// </summary>
    public bool Enabled { get; set; } = true;

    /// <summary>
    /// Whether responses have the <c>X-ThreadPool-*</c>, <c>X-AsyncProbe-*</c> and <c>Server-Timing</c> headers. Default null: only in
    /// Development.
    /// </summary>
    public bool? EmitHeaders { get; set; }

    /// <summary>
    /// Which requests carry the wait hook. Default null: <see cref="BlockingDetection.Always"/> in Development, otherwise <see
    /// cref="BlockingDetection.WhenBlocking"/>.
    /// </summary>
    public BlockingDetection? Detection { get; set; }

    /// <summary>Whether the report shows the stacks of call sites and the text of their lines. Default null: only in Development.</summary>
    public bool? IncludeStacks { get; set; }

    /// <summary>The shortest wait that AsyncProbe reports with its call site. Default 1 ms, from 0.1 ms to 1 min.</summary>
    public TimeSpan MinimumBlocked { get; set; } = TimeSpan.FromMilliseconds(1);

    /// <summary>How many endpoints get their own row; the rest share the row "(other)". Default 1000, from 1 to 100,000.</summary>
    public int MaxEndpoints { get; set; } = 1000;

    /// <summary>
    /// Names of the activity sources whose activities are measured as operations: work that is not a request. A <c>*</c> at the end matches
    /// any rest. Default: SignalR's server (<c>Microsoft.AspNetCore.SignalR.Server</c>) and Blazor
    /// (<c>Microsoft.AspNetCore.Components*</c>). Names in the configuration are added to these; call <c>Clear()</c> in code to remove
    /// them. Outgoing activities (kinds client and producer) and the activities of HTTP requests never count as operations.
    /// </summary>
    public IList<string> ActivitySources { get; } = ["Microsoft.AspNetCore.SignalR.Server", "Microsoft.AspNetCore.Components*"];

    /// <summary>How many operations get their own row; the rest share the row "(other operations)". Default 200, from 1 to 100,000.</summary>
    public int MaxOperations { get; set; } = 200;

    /// <summary>How many call sites get their own row; the rest share the row "(other)". Default 500, from 1 to 100,000.</summary>
    public int MaxSites { get; set; } = 500;

    /// <summary>
    /// The maximum number of frames in the live page's flame graph. The time of any further frames counts for their callers. Default 5000,
    /// from 100 to 100,000.
    /// </summary>
    public int MaxStackNodes { get; set; } = 5000;

    /// <summary>
    /// The maximum number of warnings about call sites per hour. Further ones are logged at level Debug. Default 60, from 0 to 10,000.
    /// </summary>
    public int MaxWarningsPerHour { get; set; } = 60;

    /// <summary>
    /// Names of the assemblies that contain your code, without <c>.dll</c>. A wait's call site is the first frame of your code on its
    /// stack. Default empty: the entry assembly and the projects it was built with.
    /// </summary>
    public IList<string> UserAssemblies { get; } = [];

    /// <summary>
    /// Rules for waits that you accept. AsyncProbe counts these waits under the rule's reason, without a warning. Default empty.
    /// </summary>
    public IList<AllowRule> Allow { get; } = [];

    /// <summary>The queue delay at which the pool counts as queueing. Default 50 ms, from 1 ms to 1 min.</summary>
    public TimeSpan QueueingThreshold { get; set; } = TimeSpan.FromMilliseconds(50);

    /// <summary>
    /// The queue delay at which the pool counts as starved. Default 500 ms, from 1 ms to 10 min, not below <see cref="QueueingThreshold"/>.
    /// </summary>
    public TimeSpan StarvedThreshold { get; set; } = TimeSpan.FromMilliseconds(500);

    /// <summary>
    /// How far back the report's history of the pool goes, with one sample per second. Default 15 min, from 10 s to 24 h.
    /// </summary>
    public TimeSpan History { get; set; } = TimeSpan.FromMinutes(15);

    /// <summary>
    /// Whether callers on this machine may see the report outside Development. Use it only on machines without a proxy, tunnel or relay: a
    /// request forwarded by one of these may look as if it came from the machine itself. Default false.
    /// </summary>
    public bool AllowLocal { get; set; }

    /// <summary>Whether anyone may see the report outside Development, without authorization. For closed networks. Default false.</summary>
    public bool AllowRemote { get; set; }

    /// <summary>
    /// Whether anyone who may see the report may also request a stack snapshot (<c>POST /_threadpool/snapshot</c>) outside Development.
    /// Each snapshot stops all threads for a moment. Default false.
    /// </summary>
    public bool AllowSnapshotRequests { get; set; }

    /// <summary>
    /// A local port on which anyone may see the report outside Development. Use a port that only operators can reach. Default null: no such
    /// port. From 1 to 65,535.
    /// </summary>
    public int? ManagementPort { get; set; }

    /// <summary>
    /// A loopback port on which a dedicated thread serves the report and its page, even while no pool thread is free. Must differ from <see
    /// cref="ManagementPort"/>. Default null: nothing listens. From 1 to 65,535.
    /// </summary>
    public int? LifelinePort { get; set; }

    /// <summary>The share of requests to measure. Lower it only under extreme load. Default 1.0; above 0 and up to 1.</summary>
    public double SampleRate { get; set; } = 1.0;
}
