using Mono.Cecil;
using Mono.Cecil.Cil;

namespace AsyncProbe.Faults.Tests;

/// <summary>Which code of our packages cannot run in a host on this machine, and why.</summary>
internal static class Exclusions
{
    private static readonly string[] s_ofConfiguration =
        ["ParseBool", "ParseInt", "ParseDouble", "ParseEnum", "ParseSystemTimeSpan", "ValidateConfigurationKeys", "<Validate>g__Check", "RefuseValue",
            "Wrong", "OptionValues.Check", "OptionsValidator.Validate", "OptionsSetup.Configure"];

    private static readonly string[] s_ofWindows = ["WindowsThreadClock", "CycleClock", "RuntimePipe"];

    // Members of compiler-generated iterators that foreach doesn't call.
    private static readonly string[] s_ofIterators = ["Reset", "get_Current", "GetEnumerator"];

    /// <summary>Why the method cannot run; null if it can.</summary>
    public static string? ReasonFor(TypeDefinition type, MethodDefinition method) => (type.Name, method.Name) switch
    {
        _ when OnlyRefuses(method) => "members that a base class or interface demands, which do nothing but throw",
        _ when Outermost(type).Name.StartsWith("<>z__", StringComparison.Ordinal) =>
            "the compiler's read-only lists: members that the interface demands and nothing calls",
        var (name, member) when name[0] == '<' && s_ofIterators.Any(m => member.EndsWith("." + m, StringComparison.Ordinal)) =>
            "the compiler's iterators: a second enumeration, Reset and the untyped Current",
        (_, "ToString" or "<Clone>$") when IsGenerated(method) || type.Name.StartsWith("<>f__Anonymous", StringComparison.Ordinal) =>
            "texts and copies of records that the compiler writes and nothing asks for",
        _ when IsReading(type, method) => "what the JSON generator writes for reading a report, which the packages only write",
        _ when s_ofConfiguration.Any(name => $"{type.Name}.{method.Name}".Contains(name, StringComparison.Ordinal)) =>
            "messages about wrong settings, with which a host refuses to start",
        (_, "OpenNextToExecutable") => "code for a single-file application",
        _ when s_ofWindows.Contains(Outermost(type).Name) => "code for Windows",
        _ => null,
    };

    private static bool IsGenerated(MethodDefinition member) =>
        member.CustomAttributes.Any(attribute => attribute.AttributeType.Name == "CompilerGeneratedAttribute");

    // The generator's lambdas that create an object, list its constructor's attributes or set a property.
    private static bool IsReading(TypeDefinition type, MethodDefinition method) =>
        Outermost(type).Name == "ReportJson" && type.Name == "<>c"
        && (method.Name.StartsWith("<Create_", StringComparison.Ordinal) || method.ReturnType.MetadataType == MetadataType.Void)
        || (type.Name.StartsWith("FigureConverter", StringComparison.Ordinal) && method.Name == "Read");

    private static bool OnlyRefuses(MethodDefinition method) =>
        method.Body.Instructions is [.., { OpCode.Code: Code.Newobj, Operand: MethodReference { DeclaringType.Name: "NotSupportedException" } }, { OpCode.Code: Code.Throw }]
        && method.Body.Instructions.Count <= 3;

    private static TypeDefinition Outermost(TypeDefinition type)
    {
        while (type.DeclaringType is { } outer)
        {
            type = outer;
        }

        return type;
    }
}
