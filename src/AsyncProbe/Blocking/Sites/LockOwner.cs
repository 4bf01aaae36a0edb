using AsyncProbe.Blocking.Code;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Stacks;

namespace AsyncProbe.Blocking.Sites;

/// <summary>
/// The library that owns a contended lock. The line is in the application, but only the library can hold the lock for less time.
/// </summary>
/// <param name="Name">The library's assembly, or the type for the runtime's core library.</param>
/// <param name="IsLogger">Whether it writes logs. The remedy is then to log less, or in the background.</param>
internal sealed record LockOwner(string Name, bool IsLogger)
{
    /// <summary>Whether it is the runtime's core library. Cold requests wait for locks there that later ones never meet.</summary>
    public bool IsRuntime { get; init; }

    private static readonly string[] s_loggers = ["NLog", "Serilog", "log4net", "Microsoft.Extensions.Logging"];

    // Types that wait on behalf of their caller.
    private static readonly string[] s_machinery = ["System.Threading.", "System.Runtime.", "System.Lazy.", "System.LazyHelper."];

    /// <param name="stack">The stack of the thread that waits for the lock, innermost frame first.</param>
    /// <returns>Null when the application took the lock itself, or when the stack doesn't show what did.</returns>
    public static LockOwner? Find(IReadOnlyList<SiteFrame> stack)
    {
        var all = stack.Select(frame => frame.OnStack).ToList();
        var frames = all.SkipWhile(frame => !IsTaker(frame)).ToList();
        return frames.FirstOrDefault() switch
        {
            { Owner: FrameOwner.Library } library => OfLibrary(library, all),

            // A logger that writes to the console takes the console's lock.
            { Owner: FrameOwner.Core } core =>
                frames.TakeWhile(frame => frame.Owner != FrameOwner.UserCode).Select(frame => OfLibrary(frame, all))
                    .FirstOrDefault(owner => owner is { IsLogger: true })
                    ?? new(TypeOf(core), IsLogger: false) { IsRuntime = true },
            _ => null,
        };
    }

    private static LockOwner? OfLibrary(FrameInfo frame, List<FrameInfo> stack) =>
        OfLibrary(frame) is not { } owner ? null
        : LockStatements.IsTakenByACallee(frame, stack.ElementAtOrDefault(stack.IndexOf(frame) - 1))
            ? owner with { Name = $"code that {owner.Name} calls" }
            : owner;

    private static LockOwner? OfLibrary(FrameInfo frame) =>
        frame is { Owner: FrameOwner.Library, Method: { } method } && method.Module.Assembly.GetName().Name is { } name
            ? new(name, frame.IsLogger || s_loggers.Any(logger => name.StartsWith(logger, StringComparison.Ordinal)))
            : null;

    private static bool IsTaker(FrameInfo frame) => frame.Owner switch
    {
        FrameOwner.UserCode => true,
        FrameOwner.Library => frame.HasType,
        FrameOwner.Core => !s_machinery.Any(prefix => frame.FullName.StartsWith(prefix, StringComparison.Ordinal)),
        _ => false,
    };

    private static string TypeOf(FrameInfo frame) =>
        frame.ShortName.LastIndexOf('.') is > 0 and var dot ? frame.ShortName[..dot] : frame.ShortName;
}
