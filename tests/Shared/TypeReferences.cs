using System.Collections.Immutable;
using System.Reflection.Emit;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace AsyncProbe.Tests.Shared;

/// <summary>
/// Reads from a compiled assembly which of its types use which others: bases, interfaces, members, attributes, locals and instructions. A
/// constant leaves no trace, because the compiler copies its value.
/// </summary>
internal sealed class TypeReferences : ISignatureTypeProvider<object?, object?>
{
    private static readonly Dictionary<int, OpCode> s_opCodes = typeof(OpCodes).GetFields()
        .Select(field => (OpCode)field.GetValue(null)!).ToDictionary(code => (int)(ushort)code.Value);

    private readonly PEReader _file;
    private readonly MetadataReader _metadata;
    private readonly HashSet<TypeDefinitionHandle> _used = [];

    private TypeReferences(PEReader file)
    {
        _file = file;
        _metadata = file.GetMetadataReader();
    }

    /// <param name="assembly">The path of the compiled file.</param>
    public static IReadOnlyList<TypeReference> Read(string assembly)
    {
        using var file = new PEReader(File.OpenRead(assembly));
        return new TypeReferences(file).Read();
    }

    private List<TypeReference> Read()
    {
        var found = new HashSet<TypeReference>();
        foreach (var handle in _metadata.TypeDefinitions)
        {
            _used.Clear();
            AddType(_metadata.GetTypeDefinition(handle));
            var user = Name(handle);
            found.UnionWith(_used.Select(used => new TypeReference(user, Name(used))).Where(reference => reference.Used != user));
        }

        return [.. found.OrderBy(reference => reference.User, StringComparer.Ordinal).ThenBy(
            reference => reference.Used, StringComparer.Ordinal)];
    }

    private void AddType(TypeDefinition type)
    {
        Add(type.BaseType);
        AddAttributes(type.GetCustomAttributes());
        AddConstraints(type.GetGenericParameters());
        foreach (var handle in type.GetInterfaceImplementations())
        {
            Add(_metadata.GetInterfaceImplementation(handle).Interface);
        }

        foreach (var handle in type.GetFields())
        {
            var field = _metadata.GetFieldDefinition(handle);
            field.DecodeSignature(this, null);
            AddAttributes(field.GetCustomAttributes());
        }

        foreach (var handle in type.GetProperties())
        {
            AddAttributes(_metadata.GetPropertyDefinition(handle).GetCustomAttributes());
        }

        foreach (var handle in type.GetMethods())
        {
            AddMethod(_metadata.GetMethodDefinition(handle));
        }
    }

    private void AddMethod(MethodDefinition method)
    {
        method.DecodeSignature(this, null);
        AddAttributes(method.GetCustomAttributes());
        AddConstraints(method.GetGenericParameters());
        if (method.RelativeVirtualAddress == 0)
        {
            return;
        }

        var body = _file.GetMethodBody(method.RelativeVirtualAddress);
        if (!body.LocalSignature.IsNil)
        {
            _metadata.GetStandaloneSignature(body.LocalSignature).DecodeLocalSignature(this, null);
        }

        foreach (var region in body.ExceptionRegions)
        {
            Add(region.CatchType);
        }

        AddInstructions(body.GetILReader());
    }

    private void AddInstructions(BlobReader code)
    {
        while (code.RemainingBytes > 0)
        {
            int value = code.ReadByte();
            var opCode = s_opCodes[value == 0xFE ? 0xFE00 | code.ReadByte() : value];
            switch (opCode.OperandType)
            {
                case OperandType.InlineField or OperandType.InlineMethod or OperandType.InlineTok or OperandType.InlineType:
                    Add(System.Reflection.Metadata.Ecma335.MetadataTokens.EntityHandle(code.ReadInt32()));
                    break;
                case OperandType.InlineSwitch:
                    // Read it first, because reading moves the offset.
                    var targets = code.ReadInt32();
                    code.Offset += 4 * targets;
                    break;
                default:
                    code.Offset += Size(opCode.OperandType);
                    break;
            }
        }
    }

    private static int Size(OperandType operand) => operand switch
    {
        OperandType.InlineNone => 0,
        OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar => 1,
        OperandType.InlineVar => 2,
        OperandType.InlineI8 or OperandType.InlineR => 8,
        _ => 4,
    };

    private void Add(EntityHandle handle)
    {
        if (handle.IsNil)
        {
            return;
        }

        switch (handle.Kind)
        {
            case HandleKind.TypeDefinition:
                _used.Add((TypeDefinitionHandle)handle);
                break;
            case HandleKind.TypeSpecification:
                _metadata.GetTypeSpecification((TypeSpecificationHandle)handle).DecodeSignature(this, null);
                break;
            case HandleKind.MethodDefinition:
                _used.Add(_metadata.GetMethodDefinition((MethodDefinitionHandle)handle).GetDeclaringType());
                break;
            case HandleKind.FieldDefinition:
                _used.Add(_metadata.GetFieldDefinition((FieldDefinitionHandle)handle).GetDeclaringType());
                break;
            case HandleKind.MemberReference:
                Add(_metadata.GetMemberReference((MemberReferenceHandle)handle).Parent);
                break;
            case HandleKind.MethodSpecification:
                var method = _metadata.GetMethodSpecification((MethodSpecificationHandle)handle);
                Add(method.Method);
                method.DecodeSignature(this, null);
                break;
        }
    }

    private void AddAttributes(CustomAttributeHandleCollection attributes)
    {
        foreach (var handle in attributes)
        {
            Add(_metadata.GetCustomAttribute(handle).Constructor);
        }
    }

    private void AddConstraints(GenericParameterHandleCollection parameters)
    {
        foreach (var constraint in parameters.SelectMany(handle => _metadata.GetGenericParameter(handle).GetConstraints()))
        {
            Add(_metadata.GetGenericParameterConstraint(constraint).Type);
        }
    }

    private string Name(TypeDefinitionHandle handle)
    {
        var type = _metadata.GetTypeDefinition(handle);
        while (!type.GetDeclaringType().IsNil)
        {
            type = _metadata.GetTypeDefinition(type.GetDeclaringType());
        }

        var (space, name) = (_metadata.GetString(type.Namespace), _metadata.GetString(type.Name));
        return space.Length == 0 ? name : $"{space}.{name}";
    }

    object? ISignatureTypeProvider<object?,
        object?>.GetTypeFromSpecification(MetadataReader reader, object? context, TypeSpecificationHandle handle, byte kind)
    {
        Add(handle);
        return null;
    }

    object? ISimpleTypeProvider<object?>.GetTypeFromDefinition(MetadataReader reader, TypeDefinitionHandle handle, byte kind)
    {
        _used.Add(handle);
        return null;
    }

    object? ISimpleTypeProvider<object?>.GetTypeFromReference(MetadataReader reader, TypeReferenceHandle handle, byte kind) => null;

    object? ISimpleTypeProvider<object?>.GetPrimitiveType(PrimitiveTypeCode typeCode) => null;

    object? IConstructedTypeProvider<object?>.GetArrayType(object? elementType, ArrayShape shape) => null;

    object? IConstructedTypeProvider<object?>.GetByReferenceType(object? elementType) => null;

    object? IConstructedTypeProvider<object?>.GetGenericInstantiation(object? genericType, ImmutableArray<object?> typeArguments) => null;

    object? IConstructedTypeProvider<object?>.GetPointerType(object? elementType) => null;

    object? ISZArrayTypeProvider<object?>.GetSZArrayType(object? elementType) => null;

    object? ISignatureTypeProvider<object?, object?>.GetFunctionPointerType(MethodSignature<object?> signature) => null;

    object? ISignatureTypeProvider<object?, object?>.GetGenericMethodParameter(object? context, int index) => null;

    object? ISignatureTypeProvider<object?, object?>.GetGenericTypeParameter(object? context, int index) => null;

    object? ISignatureTypeProvider<object?, object?>.GetModifiedType(object? modifier, object? unmodifiedType, bool isRequired) => null;

    object? ISignatureTypeProvider<object?, object?>.GetPinnedType(object? elementType) => null;
}
