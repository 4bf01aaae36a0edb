using System.Diagnostics;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using AsyncProbe.Blocking.Sources;

namespace AsyncProbe.Tests.Blocking.Sources;

[Trait(Logic.Category, Logic.Name)]
public sealed class FrameNameTests
{
    private const string This = nameof(FrameNameTests);

    [Fact]
    public void Method_IsNamedByTypeAndName() => Name().ShouldBe($"{This}.{nameof(Method_IsNamedByTypeAndName)}");

    [Fact]
    public async Task AsyncMethod_IsNamedAsWritten()
    {
        await Task.Yield();

        Name().ShouldBe($"{This}.{nameof(AsyncMethod_IsNamedAsWritten)}");
    }

    [Fact]
    public void Lambda_IsNamedByTheMethodAroundIt()
    {
        var outer = 1;
        Func<string> plain = () => Name();
        Func<string> closure = () => outer > 0 ? Name() : "";

        plain().ShouldBe($"{This}.{nameof(Lambda_IsNamedByTheMethodAroundIt)}");
        closure().ShouldBe($"{This}.{nameof(Lambda_IsNamedByTheMethodAroundIt)}");
    }

    [Fact]
    public async Task AsyncLambda_IsNamedByTheMethodAroundIt()
    {
        var outer = 1;
        Func<Task<string>> plain = async () =>
        {
            await Task.Yield();
            return Name();
        };
        Func<Task<string>> closure = async () =>
        {
            await Task.Yield();
            return outer > 0 ? Name() : "";
        };

        (await plain()).ShouldBe($"{This}.{nameof(AsyncLambda_IsNamedByTheMethodAroundIt)}");
        (await closure()).ShouldBe($"{This}.{nameof(AsyncLambda_IsNamedByTheMethodAroundIt)}");
    }

    [Fact]
    public void LocalFunction_IsNamedBehindItsMethod()
    {
        Local().ShouldBe($"{This}.{nameof(LocalFunction_IsNamedBehindItsMethod)}.Local");

        static string Local() => Name();
    }

    [Fact]
    public void Iterator_Property_AndConstructor_AreNamedAsWritten()
    {
        Iterator().Single().ShouldBe($"{This}.Iterator");
        Property.ShouldBe($"{This}.Property");
        new Nested<int>().Made.ShouldBe($"{This}.Nested.ctor");
    }

    [Fact]
    public void Full_HasTheNamespace() =>
        FrameName.From(MethodBase.GetCurrentMethod()!).Full.ShouldBe(
            $"AsyncProbe.Tests.Blocking.Sources.{This}.{nameof(Full_HasTheNamespace)}");

    [Fact]
    public void Closure_IsNamedByTheTypeAroundIt()
    {
        var outer = 1;
        Func<int> closure = () => outer;

        FrameName.From(closure.Target!.GetType().GetConstructors()[0]).Short.ShouldBe($"{This}.ctor");
    }

    [Fact]
    public void Full_IsShort_WhenThereIsNoNamespace()
    {
        var method = MadeAtRunTime("Plain");

        FrameName.From(method).ShouldBe(new FrameName("Made.Plain", "Made.Plain"));
    }

    [Theory]
    [InlineData("<Unclosed", "<Unclosed")]
    [InlineData("<>", "")]
    [InlineData("<M>g__NoEnd", "M")]
    [InlineData("<M>x__Other|1", "M")]
    [InlineData("<M>g__Local|1_0", "M.Local")]
    [InlineData("<<M>g__Local|1_0>b__2", "M.Local")]
    [InlineData("set_Name", "Name")]
    [InlineData("System.IDisposable.Dispose", "Dispose")]
    public void Name_IsReadAsFarAsItCanBe_WhateverTheCompiler(string name, string expected) =>
        FrameName.From(MadeAtRunTime(name)).Short.ShouldBe("Made." + expected);

    [Fact]
    public void MethodWithoutAType_IsNamedByItself() =>
        FrameName.From(new DynamicMethod("Loose", null, null)).ShouldBe(new FrameName("Loose", "Loose"));

    [Fact]
    public void CompiledExpression_IsNamedWithoutItsNumber() =>
        FrameName.From(new DynamicMethod("lambda_method444", null, null)).ShouldBe(new FrameName("lambda_method", "compiled expression"));

    [Theory]
    [InlineData("Run", "Outer.Run", "Outer", "<>c__DisplayClass1_0", "<<Run>b__0>d")]
    [InlineData("<>m__Finally1", "Outer.Run", "Outer", "<Run>d__1")]
    [InlineData("<Run>b__0", "Outer.Run", "Outer", "<>c")]
    [InlineData("Run", "<File>F1__Local.Run", "<File>F1__Local")]
    [InlineData("<Run>b__0", "<File>F1__Local.Run", "<File>F1__Local", "<>c")]
    public void OutermostType_IsKept_HoweverItIsNamed(string method, string expected, params string[] types) =>
        FrameName.From(null, types, method).Short.ShouldBe(expected);

    private static string Property => Name();

    private static IEnumerable<string> Iterator()
    {
        yield return Name();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static string Name() => FrameName.From(new StackFrame(1).GetMethod()!).Short;

    private static MethodInfo MadeAtRunTime(string name)
    {
        var type = AssemblyBuilder.DefineDynamicAssembly(new AssemblyName("Made"), AssemblyBuilderAccess.RunAndCollect)
            .DefineDynamicModule("Made").DefineType("Made");
        type.DefineMethod(name, MethodAttributes.Public | MethodAttributes.Static).GetILGenerator().Emit(OpCodes.Ret);
        return type.CreateType().GetMethod(name)!;
    }

    private sealed class Nested<T>
    {
        public Nested() => Made = FrameNameTests.Name();

        public string Made { get; }
    }
}
