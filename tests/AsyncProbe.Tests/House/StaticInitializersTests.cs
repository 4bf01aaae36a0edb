using Mono.Cecil;
using Mono.Cecil.Cil;

namespace AsyncProbe.Tests.House;

/// <summary>
/// A static initializer that fails once makes its type unusable until the process ends. So none may call the operating system, which may
/// have no descriptor left at that moment, unless it catches every exception.
/// </summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class StaticInitializersTests
{
    private static readonly string[] s_askTheSystem =
    [
        "System.IO.File", "System.IO.Directory", "System.IO.FileInfo", "System.IO.FileStream", "System.IO.Pipes.", "System.Net.",
        "System.Diagnostics.Process", "System.Diagnostics.FileVersionInfo", "Microsoft.Win32.",
    ];

    [Fact]
    public void StaticInitializer_AsksTheSystem_OnlyWhereEverythingIsCaught() =>
        CompiledPackages.Methods()
            .Where(method => method is { IsConstructor: true, IsStatic: true })
            .SelectMany(method => FindUnguarded(method, []).Select(call => $"{method.DeclaringType.FullName}: {call}"))
            .ShouldBeEmpty("ask when the answer is needed, and again if there was none");

    [Fact]
    public void Search_FindsTheCall_OfAnInitializerThatFails()
    {
        var type = AssemblyDefinition.ReadAssembly(typeof(StaticInitializersTests).Assembly.Location).MainModule
            .GetType($"{typeof(StaticInitializersTests).FullName}/{nameof(Fails)}");

        FindUnguarded(type.Methods.Single(method => method.Name == ".cctor"), []).ToList().ShouldHaveSingleItem()
            .ShouldStartWith("System.Diagnostics.Process");
    }

    // Follows the methods of the same assembly that are called outside a block that catches everything.
    private static IEnumerable<string> FindUnguarded(MethodDefinition method, HashSet<MethodDefinition> seen)
    {
        if (!method.HasBody || !seen.Add(method))
        {
            yield break;
        }

        foreach (var instruction in method.Body.Instructions.Where(i => i.OpCode.Code is Code.Call or Code.Callvirt or Code.Newobj))
        {
            var target = (MethodReference)instruction.Operand;
            if (IsGuarded(method, instruction))
            {
                continue;
            }

            if (AsksTheSystem(target))
            {
                yield return $"{target.DeclaringType.FullName}.{target.Name} in {method.Name}";
            }
            else if (target is MethodDefinition own)
            {
                foreach (var found in FindUnguarded(own, seen))
                {
                    yield return found;
                }
            }
        }
    }

    private static bool AsksTheSystem(MethodReference method) =>
        !method.Name.StartsWith("get_Current", StringComparison.Ordinal)
        && s_askTheSystem.Any(name => method.DeclaringType.FullName.StartsWith(name, StringComparison.Ordinal));

    private static bool IsGuarded(MethodDefinition method, Instruction instruction) =>
        method.Body.ExceptionHandlers.Any(handler => handler is { HandlerType: ExceptionHandlerType.Catch, CatchType.FullName: "System.Exception" }
            && handler.TryStart.Offset <= instruction.Offset && instruction.Offset < handler.TryEnd.Offset);

    private static class Fails
    {
        public static readonly DateTime StartedAt = Find();

        private static DateTime Find() => Ask(System.Diagnostics.Process.GetProcessById(1));

        private static DateTime Ask(object process) => process is null ? default : DateTime.UtcNow;
    }
}
