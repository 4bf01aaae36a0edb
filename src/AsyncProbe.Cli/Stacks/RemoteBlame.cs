using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Sources;

namespace AsyncProbe.Cli.Stacks;

/// <summary>
/// Finds the place to blame for a wait from a stack of another process. If the line isn't certain, it names only the method.
/// </summary>
internal sealed class RemoteBlame(RemoteModules modules)
{
    // The name of every delegate's call.
    private const string Invoke = "Invoke";

    /// <summary>Null when nothing on the stack is known to wait.</summary>
    /// <param name="stack">The frames, innermost first; null for code that the runtime doesn't name.</param>
    public RemotePlace? Find(IReadOnlyList<RemoteFrame?> stack)
    {
        var kind = WaitKind.Other;
        RemoteFrame? call = null, wait = null, caller = null, library = null;
        foreach (var frame in stack)
        {
            switch (frame)
            {
                case null:
                    continue;
                case { BeginsPoolWork: true } or { Resumes: true }:
                    return Outside(kind, library ?? caller ?? wait);
                case { CallsHandler: true }:
                    return kind == WaitKind.Other ? null : Inlined(kind) ?? Outside(kind, library ?? caller ?? wait);
            }

            if (modules.IsOwn(frame.Module))
            {
                return Own(kind, frame, call, stack);
            }

            if (kind == WaitKind.Lock && frame.TakesOwnLock)
            {
                return new(kind, frame.Name.Short);
            }

            kind = Outer(kind, frame.Kind);
            call = frame.Place.IsNativeCall ? call : frame;
            (wait, caller) = frame.Kind != WaitKind.Other ? (frame, null) : (wait, caller ?? (wait is null ? null : frame));
            library ??= RemoteModules.IsFramework(frame.Module) ? null : frame;
        }

        return Outside(kind, library ?? caller ?? wait);
    }

    private static WaitKind Outer(WaitKind inner, WaitKind outer) =>
        outer == WaitKind.Other || (inner == WaitKind.Lock && outer.IsWide()) ? inner
        : inner.IsWide() || outer.IsWide() ? WaitKinds.WiderOf(inner, outer)
        : outer;

    private RemotePlace? Own(WaitKind kind, RemoteFrame frame, RemoteFrame? call, IReadOnlyList<RemoteFrame?> stack)
    {
        var module = modules.Get(frame.Module);
        if (kind == WaitKind.Other)
        {
            // A thread in no known wait may be allocating, or the runtime may have stopped it.
            var isNative = stack[0] is { } top && (top.Place.IsNativeCall || (top == frame && module.CallsNative(frame.Place.Token)));
            return isNative ? At(WaitKind.Native, frame, module.LineOf(frame.Place.Token, frame.Place.IlOffset)) : null;
        }

        return At(kind, frame, Line(module, frame.Place.Token, frame.Place.IlOffset, kind, call));
    }

    /// <summary>
    /// The line of a place, if its statement contains the call. Optimised code may report another statement. In that case, this returns the
    /// line of the only call in the method that matches, or null if several or none do.
    /// </summary>
    private static SourceLine? Line(RemoteModule module, int token, int ilOffset, WaitKind kind, RemoteFrame? call)
    {
        if (!module.HasCode)
        {
            return module.LineOf(token, ilOffset);
        }

        var waits = module.Calls(token).Where(found => IsThatCall(found.Method, kind, call)).ToList();
        if (module.Statement(token, ilOffset) is var (from, to))
        {
            // A delegate may run anything. If the wait is directly beneath, what the delegate runs was inlined, and it waits elsewhere.
            var isWaitBeneath = call is not { Kind: WaitKind.Other };
            var calls = waits.Count > 0 ? waits : module.Calls(token).Where(found => !isWaitBeneath || found.Method != Invoke);
            if (calls.Any(found => found.Offset >= from && found.Offset <= to))
            {
                return module.LineOf(token, ilOffset);
            }
        }

        return waits is [var one] ? module.LineOf(token, one.Offset) : null;
    }

    private static bool IsThatCall(string method, WaitKind kind, RemoteFrame? call) =>
        RemoteKinds.Calls(kind).Contains(method) || method == call?.Method;

    // An endpoint's small method may be inlined into the code that the framework compiles to call it. If only one endpoint waits in this
    // way, it must be that one.
    private RemotePlace? Inlined(WaitKind kind)
    {
        var handlers = modules.Own.Where(module => module.HasCode)
            .SelectMany(module => module.Handlers().Select(token => (Module: module, Token: token)))
            .Where(handler => handler.Module.Calls(handler.Token).Any(call => IsThatCall(call.Method, kind, call: null)))
            .Take(2).ToList();
        return handlers is [var (module, token)] && module.NameOf(token) is { } name
            ? Place(kind, name, Line(module, token, ilOffset: -1, kind, call: null))
            : null;
    }

    private static RemotePlace? Outside(WaitKind kind, RemoteFrame? frame) =>
        kind == WaitKind.Other || frame is null ? null : new(kind, frame.Name.Short);

    private static RemotePlace At(WaitKind kind, RemoteFrame frame, SourceLine? line) => Place(kind, frame.Name.Short, line);

    private static RemotePlace Place(WaitKind kind, string method, SourceLine? line) => new(kind, method, line?.File, line?.Line);
}
