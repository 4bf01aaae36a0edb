using AsyncProbe.Common;
using Mono.Cecil;
using Mono.Cecil.Cil;

namespace AsyncProbe.Tests.House;

/// <summary>Every thread of the packages is started by <see cref="OwnThread"/>, whose catch keeps a failure from ending the process.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class ThreadsTests
{
    [Fact]
    public void Thread_IsMadeAndStarted_ByOneClassAlone() =>
        CompiledPackages.Methods()
            .Where(method => method.DeclaringType.FullName != typeof(OwnThread).FullName)
            .Where(method => method.Body.Instructions.Any(MakesOrStartsAThread))
            .Select(method => method.FullName)
            .ShouldBeEmpty("start it with OwnThread: an exception that leaves a thread ends the process");

    [Fact]
    public void OwnThread_IsWhatStartsThem() =>
        CompiledPackages.Methods().Where(method => method.Body.Instructions.Any(MakesOrStartsAThread)).ShouldNotBeEmpty();

    private static bool MakesOrStartsAThread(Instruction instruction) =>
        instruction.Operand is MethodReference { DeclaringType.FullName: "System.Threading.Thread", Name: ".ctor" or "Start" or "UnsafeStart" };
}
