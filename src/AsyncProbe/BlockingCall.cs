namespace AsyncProbe;

/// <summary>A call site that blocked a thread, found by <see cref="BlockingGuard"/>.</summary>
/// <param name="Kind">How it waited, such as <c>Task.Wait</c> or <c>Lock</c>; <c>Unseen</c> for what only the thread's clock noticed.</param>
/// <param name="At">Type and method of the first frame of your own code.</param>
/// <param name="File">The source file; null without symbols.</param>
/// <param name="Line">The line in it; null without symbols.</param>
/// <param name="Count">How often it waited for a millisecond or more.</param>
/// <param name="Blocked">For how long in all.</param>
/// <param name="Stack">The stack of the first wait, innermost frame first; empty for what only the clock noticed.</param>
public sealed record BlockingCall(string Kind, string At, string? File, int? Line, long Count, TimeSpan Blocked, IReadOnlyList<string> Stack);
