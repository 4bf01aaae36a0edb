using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime;
using System.Runtime.CompilerServices;

namespace AsyncProbe.Common;

/// <summary>Whether stacks say which methods are on them. Those of Native AOT do not, and then no call site can be named.</summary>
/// <param name="nameMethods">Whether they do.</param>
internal sealed class CallStacks(bool nameMethods)
{
    /// <summary>What the report lacks then, as a sentence.</summary>
    public const string Gap = "call sites: the stacks of this program do not name methods, as with Native AOT. Blocked time is still "
        + "counted.";

    /// <summary>Those of this process.</summary>
    public static CallStacks Here { get; } = new(Look());

    public bool NameMethods => nameMethods;

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Whether the method is still known is the question.")]
    public static bool IsNamed(StackTrace stack) => Array.Exists(stack.GetFrames(), static frame => frame.GetMethod() is not null);

    // Native AOT names some methods, those that reflection may reach, and no instruction in them: a Task.Wait then looks like a lock. It
    // compiles nothing while it runs. Whether dynamic code is supported would not tell: a project that is to be published so says no, also
    // when it runs with the compiler.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool Look() => JitInfo.GetCompiledMethodCount() > 0 && IsNamed(new StackTrace(fNeedFileInfo: false));
}
