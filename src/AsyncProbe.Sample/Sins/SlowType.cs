using System.Runtime.CompilerServices;

namespace AsyncProbe.Sample.Sins;

/// <summary>A type whose static constructor takes a while. It runs only once for each type, so every call gets a new type.</summary>
internal static class SlowType
{
    private static int s_count;

    [ThreadStatic]
    private static Action? t_construct;

    /// <summary>Returns a type whose static constructor hasn't run yet.</summary>
    public static Type Next()
    {
        // Arrays of arrays with many ranks give an endless supply of type arguments without deep nesting.
        var argument = typeof(object);
        for (var n = Interlocked.Increment(ref s_count); n > 0; n /= 32)
        {
            argument = argument.MakeArrayType((n % 32) + 1);
        }

        return typeof(Slow<>).MakeGenericType(argument);
    }

    /// <summary>Makes another thread run the type's static constructor for that time. Returns once it has begun.</summary>
    public static void Construct(Type type, int ms)
    {
        var isBegun = false;
        var thread = new Thread(() =>
        {
            t_construct = () =>
            {
                Volatile.Write(ref isBegun, true);
                Thread.Sleep(ms);
            };
            RuntimeHelpers.RunClassConstructor(type.TypeHandle);
        })
        {
            IsBackground = true,
        };
        thread.UnsafeStart();
        while (!Volatile.Read(ref isBegun))
        {
            Thread.SpinWait(50);
        }
    }

    private static class Slow<T>
    {
        static Slow() => t_construct?.Invoke();
    }
}
