using System.Globalization;
using System.Text;

namespace AsyncProbe;

/// <summary>
/// Thrown by <see cref="BlockingGuard.AssertNoBlockingAsync"/>. The message lists each call site with its duration and stack.
/// </summary>
public sealed class BlockingCallException : Exception
{
    internal BlockingCallException(IReadOnlyList<BlockingCall> calls)
        : base(Describe(calls)) => Calls = calls;

    /// <summary>
    /// The call sites that blocked, worst first. Blocked time that only the thread's clock noticed comes last, however long it was.
    /// </summary>
    public IReadOnlyList<BlockingCall> Calls { get; }

    private static string Describe(IReadOnlyList<BlockingCall> calls)
    {
        var text = new StringBuilder().Append(
            CultureInfo.InvariantCulture, $"A thread was blocked at {calls.Count} call site{(calls.Count == 1 ? "" : "s")}:");
        foreach (var call in calls)
        {
            text.AppendLine().Append(Sentence(call));
            foreach (var frame in call.Stack)
            {
                text.AppendLine().Append("      at ").Append(frame);
            }
        }

        return text.ToString();
    }

    private static string Sentence(BlockingCall call) =>
        call.Count == 0
            ? string.Create(CultureInfo.InvariantCulture, $"  blocked {call.Blocked.TotalMilliseconds:0.#} ms, {call.At}")
            : string.Create(
                CultureInfo.InvariantCulture,
                $"  {call.Kind} at {call.At}{SourceOf(call)}: blocked {call.Blocked.TotalMilliseconds:0.#} ms in {call.Count} "
                    + $"wait{(call.Count == 1 ? "" : "s")}");

    private static string SourceOf(BlockingCall call) => call.File is null ? "" : $" ({Path.GetFileName(call.File)}:{call.Line})";
}
