#pragma warning disable SA1402, SA1649, MA0048 // One line each: a file apiece would say less.
namespace AsyncProbe.Cli.Tests.House;

[AttributeUsage(AttributeTargets.All)]
internal class Used : Attribute
{
    public static object Make() => "";
}

internal sealed class ThroughItsBase : Used;

internal sealed class ThroughAnInterface : IEquatable<Used>
{
    public bool Equals(Used? other) => false;

    public override bool Equals(object? obj) => false;

    public override int GetHashCode() => 0;
}

internal sealed class ThroughAField
{
    public Used? Field { get; set; }
}

internal static class ThroughASignature
{
    public static Dictionary<string, Used[]>? Find() => null;
}

internal static class ThroughALocal
{
    public static bool Try(object value)
    {
        var used = value as Used;
        return used is not null;
    }
}

internal static class ThroughACall
{
    public static object Call() => Used.Make();
}

internal static class ThroughATypeArgument
{
    public static int Count(object[] values) => values.OfType<Used>().Count();
}

internal static class ThroughALambda
{
    public static Func<object> Create() => () => Used.Make();
}

internal static class ThroughAnAwait
{
    public static async Task<object> CallAsync()
    {
        await Task.Yield();
        return Used.Make();
    }
}

[Used]
internal static class ThroughAnAttribute;

[System.ComponentModel.TypeConverter(typeof(Used))]
internal static class ThroughATypeInAnAttribute;

internal static class ThroughATypeof
{
    public static string Name() => typeof(Used).Name;
}
