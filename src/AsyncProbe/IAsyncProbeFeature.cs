namespace AsyncProbe;

/// <summary>
/// The cost of the current request so far. Available from <c>HttpContext.Features</c> while AsyncProbe measures the request.
/// </summary>
/// <example>
/// <code>
/// using AsyncProbe;
///
/// var app = WebApplication.Create(args);
/// app.MapGet("/cost", (HttpContext context) =&gt; context.Features.Get&lt;IAsyncProbeFeature&gt;()?.Held.TotalMilliseconds);
/// </code>
/// </example>
public interface IAsyncProbeFeature
{
    /// <summary>How long this request has held thread-pool threads, including the calling thread's current segment.</summary>
    TimeSpan Held { get; }

    /// <summary>How much of <see cref="Held"/> was CPU time; null if the platform doesn't report it.</summary>
    TimeSpan? Cpu { get; }

    /// <summary>
    /// How much of <see cref="Held"/> was spent in waits that kept the thread without running anything (<c>.Result</c>, <c>lock</c>,
    /// <c>Thread.Sleep</c>, synchronous I/O); null if the platform doesn't report CPU time.
    /// </summary>
    TimeSpan? Blocked { get; }
}
