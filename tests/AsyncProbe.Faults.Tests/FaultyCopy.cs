using AsyncProbe.FaultHost;
using Mono.Cecil;
using Mono.Cecil.Cil;
using Mono.Cecil.Rocks;

namespace AsyncProbe.Faults.Tests;

/// <summary>
/// A copy of the fault host in which each place of our packages that allocates, starts a thread or opens a file or a socket first asks
/// <see cref="FaultSwitch"/> whether it must fail now.
/// </summary>
internal sealed class FaultyCopy : IDisposable
{
    private static readonly string[] s_packages = ["AsyncProbe.dll", "AsyncProbe.StackSnapshots.dll"];

    private readonly List<Place> _places = [];

    public FaultyCopy()
    {
        Folder = Directory.CreateTempSubdirectory("asyncprobe-faults-").FullName;
        HostFiles.CopyTo(Folder);

        foreach (var package in s_packages)
        {
            Rewrite(package);
        }
    }

    public string Folder { get; }

    public IReadOnlyList<Place> Places => _places;

    public void Dispose() => Directory.Delete(Folder, recursive: true);

    private void Rewrite(string package)
    {
        var original = Path.Combine(FaultHostProcess.BuiltFolder, package);
        var resolver = new DefaultAssemblyResolver();
        resolver.AddSearchDirectory(FaultHostProcess.BuiltFolder);
        resolver.AddSearchDirectory(Path.GetDirectoryName(typeof(object).Assembly.Location));
        resolver.AddSearchDirectory(Path.GetDirectoryName(typeof(Microsoft.AspNetCore.Http.HttpContext).Assembly.Location));
        using var assembly = AssemblyDefinition.ReadAssembly(original, new ReaderParameters { AssemblyResolver = resolver });
        var module = assembly.MainModule;
        foreach (var type in module.GetTypes())
        {
            foreach (var method in type.Methods.Where(method => method.HasBody))
            {
                Rewrite(module, type, method);
            }
        }

        assembly.Write(Path.Combine(Folder, package));
    }

    private void Rewrite(ModuleDefinition module, TypeDefinition type, MethodDefinition method)
    {
        var targets = method.Body.Instructions.Select(i => (Instruction: i, Hook: HookFor(i))).Where(t => t.Hook is not null).ToList();
        if (targets.Count == 0)
        {
            return;
        }

        method.Body.SimplifyMacros();
        var il = method.Body.GetILProcessor();
        foreach (var (instruction, hook) in targets)
        {
            var place = new Place(_places.Count, RoomOf(type), $"{type.FullName}.{method.Name}", Describe(instruction), method.Name == ".cctor",
                Exclusions.ReasonFor(type, method));
            _places.Add(place);

            // The old instruction becomes the check, so that jumps and the limits of try blocks point there.
            var copy = Instruction.Create(OpCodes.Nop);
            (copy.OpCode, copy.Operand) = (instruction.OpCode, instruction.Operand);
            (instruction.OpCode, instruction.Operand) = (OpCodes.Ldc_I4, place.Id);
            var call = Instruction.Create(OpCodes.Call, module.ImportReference(typeof(FaultSwitch).GetMethod(hook!)));
            il.InsertAfter(instruction, call);
            il.InsertAfter(call, copy);
        }

        method.Body.OptimizeMacros();
    }

    private static string? HookFor(Instruction instruction) => instruction.OpCode.Code switch
    {
        Code.Newarr => nameof(FaultSwitch.HitMemory),
        Code.Box => nameof(FaultSwitch.HitMemory),
        Code.Newobj when ((MethodReference)instruction.Operand).DeclaringType is var made => made.FullName switch
        {
            "System.Net.Sockets.Socket" => nameof(FaultSwitch.HitSocket),
            _ => IsValueType(made) ? null : nameof(FaultSwitch.HitMemory),
        },
        Code.Call or Code.Callvirt when instruction.Previous?.OpCode.OpCodeType != OpCodeType.Prefix => OfCall((MethodReference)instruction.Operand),
        _ => null,
    };

    private static string? OfCall(MethodReference method) => (method.DeclaringType.FullName, method.Name) switch
    {
        ("System.Threading.Thread", "Start" or "UnsafeStart") => nameof(FaultSwitch.HitThread),
        ("System.Threading.ThreadPool", "UnsafeQueueUserWorkItem") => nameof(FaultSwitch.HitMemory),
        ("System.Net.Sockets.Socket", "Bind" or "Listen" or "Accept" or "Connect" or "Select" or "Send" or "Receive") =>
            nameof(FaultSwitch.HitSocket),
        ("System.IO.File", _) or ("System.Diagnostics.Process", "GetCurrentProcess") => nameof(FaultSwitch.HitFile),
        _ => null,
    };

    private static bool IsValueType(TypeReference type) => type.Resolve() is { IsValueType: true };

    private static string RoomOf(TypeDefinition type)
    {
        while (type.DeclaringType is { } outer)
        {
            type = outer;
        }

        return type.Namespace;
    }

    private static string Describe(Instruction instruction) => instruction.Operand switch
    {
        MethodReference method => $"{instruction.OpCode.Name} {method.DeclaringType.Name}.{method.Name}",
        TypeReference type => $"{instruction.OpCode.Name} {type.Name}",
        _ => instruction.OpCode.Name,
    };
}
