using System.Reflection;
using System.Runtime.CompilerServices;

namespace AsyncProbe.Blocking.Stacks;

/// <summary>
/// The method that the calling thread's task runs. Where the wait is the last call of a lambda, optimised code replaces the lambda's frame
/// by that of the call (a tail call), and under Task.Run nothing of the application is left on the stack; the task still has its delegate.
/// </summary>
internal static class RunningTask
{
    private static bool s_isOutOfReach;

    /// <summary>Null when the thread runs no task, or when this runtime keeps it elsewhere.</summary>
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
                // The runtime's own fields, which any version may rename. One exception is enough to know.
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
