namespace AsyncProbe.Tests.Blocking.Catalogue;

internal static class SlowType
{
    private static readonly Type[] s_arguments =
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

    public static volatile bool IsInside;

    public static Type NextArgument() => s_arguments[Interlocked.Increment(ref s_next)];
}

/// <summary>A type whose static constructor takes its time.</summary>
internal static class SlowType<T>
{
#pragma warning disable CA1810 // the static constructor is the point
    static SlowType()
    {
        SlowType.IsInside = true;
        Thread.Sleep(Sins.Ms);
        Argument = typeof(T);
    }
#pragma warning restore CA1810

    public static Type Argument { get; }
}
