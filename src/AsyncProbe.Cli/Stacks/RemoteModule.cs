using System.Reflection;
using System.Reflection.Emit;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using AsyncProbe.Blocking.Code;
using AsyncProbe.Blocking.Sources;

namespace AsyncProbe.Cli.Stacks;

/// <summary>An assembly's file with its symbols, read without loading it.</summary>
internal sealed class RemoteModule : IDisposable
{
    /// <summary>In a damaged module, a type may be nested in itself.</summary>
    private const int MostNested = 100;

    private readonly PEReader? _image;
    private readonly MetadataReader? _metadata;
    private readonly MetadataReaderProvider? _provider;
    private readonly Symbols? _symbols;
    private readonly Dictionary<int, IReadOnlyList<RemoteCall>> _calls = [];
    private IReadOnlyList<int>? _handlers;

    private RemoteModule(PEReader? image, MetadataReaderProvider? symbols)
    {
        (_image, _provider) = (image, symbols);
        _metadata = ValueOrNull(() => image is { HasMetadata: true } ? image.GetMetadataReader() : null);
        _symbols = ValueOrNull(() => symbols is null ? null : new Symbols(symbols));
    }

    /// <summary>Whether the code is known, so that a line can be checked against it.</summary>
    public bool HasCode => _metadata is not null;

    /// <param name="path">The assembly's path as seen from here. In a single-file application only the symbols exist.</param>
    public static RemoteModule Open(string path)
    {
        PEReader? image = null;
        MetadataReaderProvider? symbols = null;
        try
        {
            var pdb = Path.ChangeExtension(path, ".pdb");
            if (File.Exists(path))
            {
                image = new PEReader(new MemoryStream(File.ReadAllBytes(path)));
                image.TryOpenAssociatedPortablePdb(
                    path, name => Path.GetFileName(name) is var file && Path.Combine(Path.GetDirectoryName(path)!, file) is var beside
                        && File.Exists(beside) ? File.OpenRead(beside) : null,
                    out symbols, out _);
            }
            else if (File.Exists(pdb))
            {
                symbols = MetadataReaderProvider.FromPortablePdbStream(File.OpenRead(pdb));
            }

            return new(image, symbols);
        }
        catch (Exception e) when (Symbols.CannotBeRead(e))
        {
            // A method without a line is still a method.
            symbols?.Dispose();
            return new(image, symbols: null);
        }
    }

    /// <summary>The line of a place in a method; null when unknown.</summary>
    public SourceLine? LineOf(int token, int ilOffset) =>
        ilOffset >= 0 && Points(token) is { Count: > 0 } points ? ValueOrNull(() => _symbols!.LineOf(points, ilOffset)) : null;

    /// <summary>The first and last instructions of the statement that a place belongs to; null when unknown.</summary>
    public (int From, int To)? Statement(int token, int ilOffset)
    {
        if (Points(token) is not { } points)
        {
            return null;
        }

        var i = points.FindLastIndex(point => point.Offset <= ilOffset);
        return i < 0 ? null : (points[i].Offset, i + 1 < points.Count ? points[i + 1].Offset - 1 : int.MaxValue);
    }

    /// <summary>The calls in a method's code, in order.</summary>
    public IReadOnlyList<RemoteCall> Calls(int token)
    {
        if (!_calls.TryGetValue(token, out var calls))
        {
            _calls[token] = calls = [.. Code(token).Where(code => code.IsCall).Select(code => Call(code)).OfType<RemoteCall>()];
        }

        return calls;
    }

    /// <summary>Whether a method's code calls a native function.</summary>
    public bool CallsNative(int token) => Calls(token).Any(call => call.IsNative);

    /// <summary>
    /// The methods that the framework may call as an endpoint: methods that become a delegate, and methods of controllers and hubs.
    /// </summary>
    public IReadOnlyList<int> Handlers() =>
        _handlers ??= _metadata is { } metadata && ValueOrNull(() => FindHandlers(metadata)) is { } found ? found : [];

    /// <summary>A method's name as in the source; null when the module is damaged.</summary>
    public string? NameOf(int token) => ValueOrNull(() => FindName(token));

    public void Dispose()
    {
        _image?.Dispose();
        _provider?.Dispose();
    }

    private List<int> FindHandlers(MetadataReader metadata)
    {
        var delegates = metadata.MethodDefinitions.SelectMany(method => Code(MetadataTokens.GetToken(method)))
            .Where(code => code.Code == OpCodes.Ldftn).Select(code => code.Operand)
            .Where(token => MetadataTokens.EntityHandle(token).Kind == HandleKind.MethodDefinition);
        var members = metadata.TypeDefinitions.Select(metadata.GetTypeDefinition).Where(IsCalledByFramework)
            .SelectMany(type => type.GetMethods())
            .Where(method => metadata.GetMethodDefinition(method).Attributes.HasFlag(MethodAttributes.Public))
            .Select(method => MetadataTokens.GetToken(method));
        return [.. delegates.Concat(members).Distinct()];
    }

    private string FindName(int token)
    {
        var method = _metadata!.GetMethodDefinition((MethodDefinitionHandle)MetadataTokens.EntityHandle(token));
        List<string> types = [];
        string? space = null;
        for (var type = method.GetDeclaringType(); !type.IsNil && types.Count < MostNested;
            type = _metadata.GetTypeDefinition(type).GetDeclaringType())
        {
            types.Insert(0, _metadata.GetString(_metadata.GetTypeDefinition(type).Name));
            space = _metadata.GetString(_metadata.GetTypeDefinition(type).Namespace);
        }

        return FrameName.From(space, types, _metadata.GetString(method.Name)).Short;
    }

    private List<SequencePoint>? Points(int token) => ValueOrNull(() => _symbols?.PointsOf(token));

    private IReadOnlyList<Instruction> Code(int token) =>
        ValueOrNull<IReadOnlyList<Instruction>>(() =>
            _metadata is not null && MetadataTokens.EntityHandle(token) is { Kind: HandleKind.MethodDefinition } handle
                && _metadata.GetMethodDefinition((MethodDefinitionHandle)handle) is { RelativeVirtualAddress: > 0 and var address } method
                && !method.Attributes.HasFlag(MethodAttributes.PinvokeImpl)
                ? [.. Instruction.Decode(_image!.GetMethodBody(address).GetILBytes() ?? [])]
                : null) ?? [];

    // The files come from the process that is looked at. They may be damaged, or replaced at this moment.
    private static T? ValueOrNull<T>(Func<T?> read)
        where T : class
    {
        try
        {
            return read();
        }
        catch (Exception e) when (Symbols.CannotBeRead(e))
        {
            return null;
        }
    }

    private RemoteCall? Call(Instruction code) => ValueOrNull(() => FindCall(code));

    private RemoteCall? FindCall(Instruction code)
    {
        var handle = MetadataTokens.EntityHandle(code.Operand);
        if (handle.Kind == HandleKind.MethodSpecification)
        {
            handle = _metadata!.GetMethodSpecification((MethodSpecificationHandle)handle).Method;
        }

        switch (handle.Kind)
        {
            case HandleKind.MethodDefinition:
                var method = _metadata!.GetMethodDefinition((MethodDefinitionHandle)handle);
                return new(code.Offset, _metadata.GetString(method.Name), method.Attributes.HasFlag(MethodAttributes.PinvokeImpl));
            case HandleKind.MemberReference:
                var member = _metadata!.GetMemberReference((MemberReferenceHandle)handle);
                return new(code.Offset, _metadata.GetString(member.Name), IsNative: false);
            default:
                return null;
        }
    }

    private bool IsCalledByFramework(TypeDefinition type)
    {
        var name = type.BaseType.Kind switch
        {
            HandleKind.TypeReference => _metadata!.GetString(_metadata.GetTypeReference((TypeReferenceHandle)type.BaseType).Name),
            HandleKind.TypeDefinition when !type.BaseType.IsNil =>
                _metadata!.GetString(_metadata.GetTypeDefinition((TypeDefinitionHandle)type.BaseType).Name),
            _ => "",
        };
        return name is "ControllerBase" or "PageModel" || name.EndsWith("Controller", StringComparison.Ordinal)
            || name.EndsWith("Hub", StringComparison.Ordinal);
    }
}
