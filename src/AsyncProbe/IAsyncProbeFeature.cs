namespace AsyncProbe;

/// <summary>
/// What the current request has cost so far. It is in <c>HttpContext.Features</c> while AsyncProbe measures the request.
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
    /// <summary>How long thread-pool threads were held by this request, the running segment of the calling thread included.</summary>
    TimeSpan Held { get; }

    /// <summary>How much of <see cref="Held"/> was CPU time; null where the platform cannot tell.</summary>
    TimeSpan? Cpu { get; }

    /// <summary>
    /// How much of <see cref="Held"/> was spent in waits that kept the thread and ran nothing (<c>.Result</c>, <c>lock</c>,
    /// <c>Thread.Sleep</c>, synchronous I/O); null where the platform cannot tell.
    /// </summary>
    TimeSpan? Blocked { get; }
}
