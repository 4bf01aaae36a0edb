namespace AsyncProbe;

/// <summary>
/// Accepts the waits of an action, a controller or an endpoint. The report counts them under the reason, and they raise no warning.
/// </summary>
/// <param name="reason">Why blocking is right here; shown in the report. Required.</param>
/// <exception cref="ArgumentException"><paramref name="reason"/> is null, empty or white space.</exception>
/// <example>
/// <code>
/// using AsyncProbe;
/// using Microsoft.AspNetCore.Mvc;
///
/// public class LabelsController : ControllerBase
/// {
///     [HttpPost("/labels")]
///     [AllowBlocking("the printer's driver has no asynchronous call")]
///     public void Print() =&gt; Thread.Sleep(100);
/// }
/// </code>
/// </example>
[AttributeUsage(AttributeTargets.Method | AttributeTargets.Class | AttributeTargets.Delegate)]
public sealed class AllowBlockingAttribute(string reason) : Attribute
{
    /// <summary>Why blocking is right here. Never empty.</summary>
    public string Reason { get; } = string.IsNullOrWhiteSpace(reason)
        ? throw new ArgumentException("Give a reason: a wait that is allowed without one cannot be reviewed.", nameof(reason))
        : reason;
}
