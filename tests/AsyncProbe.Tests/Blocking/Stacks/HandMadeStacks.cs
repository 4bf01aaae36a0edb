using System.Diagnostics;
using System.Reflection;
using AsyncProbe.Blocking.Methods;

namespace AsyncProbe.Tests.Blocking.Stacks;

/// <summary>Stacks made by hand from real methods, innermost first. This assembly is the application's own code.</summary>
internal static class HandMadeStacks
{
    public const int IlOffset = 7;

    public static Frames Frames { get; } = new(UserCode.Create([typeof(HandMadeStacks).Assembly.GetName().Name!]));

    public static StackTrace Of(params MethodBase?[] methods) => new(methods.Select(method => new HandMadeFrame(method)));

    /// <summary>Any method with that name, whatever its parameters.</summary>
    public static MethodBase Method(Type type, string name) =>
        type.GetMembers(
            BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly)
            .OfType<MethodBase>()
            .First(m => m.Name == name);

    /// <summary>The application's code.</summary>
    public static MethodBase Own { get; } = Method(typeof(HandMadeStacks), nameof(OwnCodeHere));

    public static void OwnCodeHere()
    {
    }

    private sealed class HandMadeFrame(MethodBase? method) : StackFrame
    {
        public override MethodBase? GetMethod() => method;

        public override int GetILOffset() => method == Own ? IlOffset : 1;
    }
}
