using System.Runtime.CompilerServices;

namespace AsyncProbe.Sample.Sins;

/// <summary>A type whose static constructor takes a while. One runs once only, so every call gets a type of its own.</summary>
internal static class SlowType
{
    private static int s_count;

    [ThreadStatic]
    private static Action? t_construct;

    /// <summary>A type that nobody has constructed yet.</summary>
    public static Type Next()
    {
        // Arrays of arrays of many ranks: endlessly many arguments, none of them deep.
        var argument = typeof(object);
        for (var n = Interlocked.Increment(ref s_count); n > 0; n /= 32)
        {
            argument = argument.MakeArrayType((n % 32) + 1);
        }

        return typeof(Slow<>).MakeGenericType(argument);
    }

    /// <summary>Lets another thread construct the type for so long. Returns once that has begun.</summary>
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
