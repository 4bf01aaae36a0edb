using System.CodeDom.Compiler;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using AsyncProbe.Blocking.Kinds;

namespace AsyncProbe.Blocking.Methods;

/// <summary>Looks up methods and caches the answers, because the same few occur again and again.</summary>
internal sealed class Frames(UserCode own)
{
    // At this size the cache is cleared. An app with so many methods generates most of them at run time.
    private const int MaxKept = 20_000;

    private static readonly Assembly s_probe = typeof(Frames).Assembly;
    private static readonly Assembly s_core = typeof(object).Assembly;

    private readonly ConcurrentDictionary<MethodBase, FrameInfo> _known = new();

    // Methods that can be unloaded, and methods generated at run time, which are freed with their last user.
    private readonly ConditionalWeakTable<MethodBase, FrameInfo> _passing = [];
    private int _kept;

    /// <summary>The application's methods, on a stack or not.</summary>
    public UserMethods UserMethods { get; } = new(own);

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "A trimmed method gives a frame without a name, which is skipped.")]
    public FrameInfo? Get(StackFrame frame) => frame.GetMethod() is { } method ? Get(method) : null;

    /// <summary>What is known about an application method; null for any other method.</summary>
    public FrameInfo? UserCodeOrNull(MethodBase? method) =>
        method is not null && Get(method) is { Owner: FrameOwner.UserCode } own ? own : null;

    public FrameInfo Get(MethodBase method)
    {
        if (_known.TryGetValue(method, out var info) || _passing.TryGetValue(method, out info))
        {
            return info;
        }

        info = Describe(method);
        if (FrameInfo.IsPassing(method))
        {
            return _passing.GetValue(method, _ => info);
        }

        if (_known.TryAdd(method, info) && Interlocked.Increment(ref _kept) >= MaxKept)
        {
            Volatile.Write(ref _kept, 0);
            _known.Clear();
        }

        return info;
    }

    private FrameInfo Describe(MethodBase method)
    {
        var type = method.DeclaringType;
        var owner = OwnerOf(method, type);
        var kind = type is null || owner is not (FrameOwner.Core or FrameOwner.Library)
            ? WaitKind.Other
            : KindRules.Find(type, method.Name);
        return new FrameInfo(method, owner, kind);
    }

    private FrameOwner OwnerOf(MethodBase method, Type? type)
    {
        var assembly = method.Module.Assembly;
        if (assembly == s_probe)
        {
            return OfProbe(type);
        }

        // A container or a serializer may attach code that it generates at run time to the application's assembly.
        if (type is null)
        {
            return FrameOwner.Library;
        }

        if (own.Contains(assembly))
        {
            return IsNativeCall(method) ? FrameOwner.Library : FrameOwner.UserCode;
        }

        return assembly == s_core ? FrameOwner.Core : FrameOwner.Library;
    }

    // Whether a method is the declaration of a native function, or the stub that a source generator makes for it. The caller is to blame.
    private static bool IsNativeCall(MethodBase method)
    {
        if (!method.IsStatic)
        {
            return false;
        }

        try
        {
            return (method.Attributes & MethodAttributes.PinvokeImpl) != 0
                || method.GetCustomAttribute<GeneratedCodeAttribute>()?.Tool == "Microsoft.Interop.LibraryImportGenerator";
        }
        catch (Exception)
        {
            // The assembly of an attribute is missing.
            return false;
        }
    }

    private static FrameOwner OfProbe(Type? type)
    {
        // Closures and state machines are nested in the type that declares them.
        while (type?.DeclaringType is { } outer)
        {
            type = outer;
        }

        return type?.GetCustomAttribute<FrameOwnerAttribute>()?.Owner ?? FrameOwner.Probe;
    }
}
