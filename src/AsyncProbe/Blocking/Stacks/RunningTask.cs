using System.Reflection;
using System.Runtime.CompilerServices;

namespace AsyncProbe.Blocking.Stacks;

/// <summary>
/// The method that the calling thread's task runs. When the wait is the last call of a lambda, optimised code replaces the lambda's frame
/// with the callee's (a tail call). Under Task.Run that leaves no application frame on the stack, but the task still has its delegate.
/// </summary>
internal static class RunningTask
{
    private static bool s_isOutOfReach;

    /// <summary>Null when the thread isn't running a task, or when this runtime stores it elsewhere.</summary>
    public static MethodBase? Method
    {
        get
        {
            if (Volatile.Read(ref s_isOutOfReach))
            {
                return null;
            }

            try
            {
                return Current(null) is { } task ? ActionOf(task)?.Method : null;
            }
            catch (Exception)
            {
                // These are private fields of the runtime, which any version may rename. One exception is enough to stop trying.
                Volatile.Write(ref s_isOutOfReach, true);
                return null;
            }
        }
    }

    [UnsafeAccessor(UnsafeAccessorKind.StaticField, Name = "t_currentTask")]
    private static extern ref Task? Current(Task? type);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "m_action")]
    private static extern ref Delegate? ActionOf(Task task);
}
