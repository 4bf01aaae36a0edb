using AsyncProbe.Blocking.Stacks;

namespace AsyncProbe.Blocking.Sites;

/// <summary>
/// The library that owns a contended lock. The line is the application's, but the lock isn't: only the library can hold it for less time.
/// </summary>
/// <param name="Name">Its assembly, or the type where it is of the runtime's core.</param>
/// <param name="IsLogger">Whether it writes logs: what helps there is to log less, or in the background.</param>
internal sealed record LockOwner(string Name, bool IsLogger)
{
    private static readonly string[] s_loggers = ["NLog", "Serilog", "log4net", "Microsoft.Extensions.Logging"];

    // What waits on behalf of its caller.
    private static readonly string[] s_machinery = ["System.Threading.", "System.Runtime.", "System.Lazy.", "System.LazyHelper."];

    /// <param name="stack">Of the thread that waits for the lock, innermost first.</param>
    /// <returns>Null where the application took the lock itself, or the stack does not show who did.</returns>
    public static LockOwner? Find(IReadOnlyList<SiteFrame> stack)
    {
        var taker = stack.Select(frame => frame.OnStack).FirstOrDefault(IsTaker);
        return taker switch
        {
            { Owner: FrameOwner.Library, Method: { } method } when method.Module.Assembly.GetName().Name is { } name =>
                new(name, taker.IsLogger || s_loggers.Any(logger => name.StartsWith(logger, StringComparison.Ordinal))),
            { Owner: FrameOwner.Core } => new(TypeOf(taker), IsLogger: false),
            _ => null,
        };
    }

    private static bool IsTaker(FrameInfo frame) => frame.Owner switch
    {
        FrameOwner.UserCode or FrameOwner.Library => true,
        FrameOwner.Core => !s_machinery.Any(prefix => frame.FullName.StartsWith(prefix, StringComparison.Ordinal)),
        _ => false,
    };

    private static string TypeOf(FrameInfo frame) =>
        frame.ShortName.LastIndexOf('.') is > 0 and var dot ? frame.ShortName[..dot] : frame.ShortName;
}
