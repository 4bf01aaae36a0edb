using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime;
using System.Runtime.CompilerServices;

namespace AsyncProbe.Blocking.Stacks;

/// <summary>Whether stack traces contain methods. With Native AOT they don't, so no call site can be named.</summary>
/// <param name="nameMethods">Whether they contain methods.</param>
internal sealed class CallStacks(bool nameMethods)
{
    /// <summary>The gap in the report, as a sentence.</summary>
    public const string Gap = "call sites: the stacks of this program do not name methods, as with Native AOT. Blocked time is still "
        + "counted.";

    /// <summary>The setting for this process.</summary>
    public static CallStacks Here { get; } = new(Look());

    public bool NameMethods => nameMethods;

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Whether the method is still known is the question.")]
    public static bool IsNamed(StackTrace stack) => Array.Exists(stack.GetFrames(), static frame => frame.GetMethod() is not null);

    // Native AOT names only methods that reflection may reach, and no instructions inside them, so a Task.Wait looks like a lock. It
    // compiles nothing at run time, and that is what this checks. Checking whether dynamic code is supported would not work: a project set
    // up for AOT publishing says no even when it runs with the JIT.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool Look() => JitInfo.GetCompiledMethodCount() > 0 && IsNamed(new StackTrace(fNeedFileInfo: false));
}
