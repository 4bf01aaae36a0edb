using Mono.Cecil;

namespace AsyncProbe.Tests.Shared;

/// <summary>
/// Reads from a compiled assembly which of its types use which others: bases, interfaces, members, attributes and their arguments, locals and
/// instructions. A constant leaves no trace, because the compiler copies its value.
/// </summary>
internal static class TypeUses
{
    /// <param name="assembly">The path of the compiled file.</param>
    public static IReadOnlyList<TypeUse> Read(string assembly)
    {
        using var framework = new DefaultAssemblyResolver();
        var files = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator);
        foreach (var folder in files.Select(Path.GetDirectoryName).Distinct())
        {
            framework.AddSearchDirectory(folder);
        }

        using var module = ModuleDefinition.ReadModule(assembly, new ReaderParameters { AssemblyResolver = framework });
        var uses = from user in module.GetTypes()
                   from used in OfType(user).OfType<TypeReference>().SelectMany(Parts).OfType<TypeDefinition>()
                   select new TypeUse(Name(user), Name(used));
        return [.. uses.Where(use => use.Used != use.User).Distinct().OrderBy(use => use.User, StringComparer.Ordinal)];
    }

    private static IEnumerable<TypeReference?> OfType(TypeDefinition type) =>
    [
        type.BaseType,
        .. type.Interfaces.Select(implemented => implemented.InterfaceType),
        .. type.GenericParameters.SelectMany(OfConstraints),
        .. type.Fields.Select(field => field.FieldType),
        .. type.Methods.SelectMany(OfMethod),
        .. OfAttributes([type, .. type.Fields, .. type.Properties, .. type.Events, .. type.Methods]),
    ];

    private static IEnumerable<TypeReference?> OfMethod(MethodDefinition method)
    {
        var signature = method.Parameters.Select(parameter => parameter.ParameterType).Append(method.ReturnType)
            .Concat(method.GenericParameters.SelectMany(OfConstraints));
        return !method.HasBody ? signature :
        [
            .. signature,
            .. method.Body.Variables.Select(local => local.VariableType),
            .. method.Body.ExceptionHandlers.Select(handler => handler.CatchType),
            .. method.Body.Instructions.SelectMany(instruction => OfOperand(instruction.Operand)),
        ];
    }

    private static IEnumerable<TypeReference> OfOperand(object? operand) => operand switch
    {
        TypeReference type => [type],
        GenericInstanceMethod method => [method.DeclaringType, .. method.GenericArguments],
        MemberReference member => [member.DeclaringType],
        _ => [],
    };

    private static IEnumerable<TypeReference> OfConstraints(GenericParameter parameter) =>
        parameter.Constraints.Select(constraint => constraint.ConstraintType);

    private static IEnumerable<TypeReference?> OfAttributes(IEnumerable<ICustomAttributeProvider> annotated) =>
        from attribute in annotated.SelectMany(item => item.CustomAttributes)
        let named = attribute.Properties.Concat(attribute.Fields).Select(property => property.Argument)
        from type in attribute.ConstructorArguments.Concat(named).Select(argument => argument.Value as TypeReference)
            .Append(attribute.AttributeType)
        select type;

    private static IEnumerable<TypeReference> Parts(TypeReference type) => type switch
    {
        GenericInstanceType generic => generic.GenericArguments.SelectMany(Parts).Append(generic.ElementType),
        TypeSpecification specification => Parts(specification.ElementType),
        _ => [type],
    };

    private static string Name(TypeDefinition type) => type.DeclaringType is { } outer ? Name(outer) : type.FullName;
}
