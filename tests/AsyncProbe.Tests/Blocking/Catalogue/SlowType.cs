using System.Collections.Concurrent;

namespace AsyncProbe.Tests.Blocking.Catalogue;

internal static class SlowType
{
    private static readonly Type[] s_parts =
    [
        typeof(byte),
        typeof(short),
        typeof(int),
        typeof(long),
        typeof(float),
        typeof(double),
        typeof(char),
    ];
    private static int s_next = -1;

    /// <summary>The types whose static constructor is running or has run.</summary>
    public static ConcurrentDictionary<Type, bool> Entered { get; } = new();

    /// <summary>One of 2,401 types, none of which is returned twice.</summary>
    public static Type NextArgument()
    {
        var n = Interlocked.Increment(ref s_next);
        return typeof(ValueTuple<,,,>).MakeGenericType(
            s_parts[n % 7], s_parts[n / 7 % 7], s_parts[n / 49 % 7], s_parts[n / 343]);
    }
}

/// <summary>A type with a slow static constructor.</summary>
internal static class SlowType<T>
{
#pragma warning disable CA1810 // the static constructor is the point
    static SlowType()
    {
        SlowType.Entered[typeof(T)] = true;
        Thread.Sleep(Sins.Ms);
        Argument = typeof(T);
    }
#pragma warning restore CA1810

    public static Type Argument { get; }
}
