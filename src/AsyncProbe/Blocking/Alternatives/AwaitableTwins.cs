using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using AsyncProbe.Blocking.Kinds;

namespace AsyncProbe.Blocking.Alternatives;

/// <summary>
/// Finds the awaitable twin of a method that blocks: ExecuteReaderAsync for ExecuteReader. It reads only names from the metadata of loaded
/// assemblies, so the search loads no further assembly. It is slow: call it from a reader, never on the thread that waited.
/// </summary>
internal static class AwaitableTwins
{
    /// <summary>The result when the call already returns a task.</summary>
    public const string AwaitIt = "await";

    private const string Suffix = "Async";
    private const string EfCore = "Microsoft.EntityFrameworkCore";
    private const string EfCoreQueries = "EntityFrameworkQueryableExtensions";

    private static readonly string[] s_awaitable = ["Task", "Task`1", "ValueTask", "ValueTask`1", "IAsyncEnumerable`1"];

    /// <summary>The twin's name; null if none exists, or if awaiting it would block, too.</summary>
    /// <param name="method">The method that blocks.</param>
    /// <param name="kind">How it blocks.</param>
    /// <param name="inUse">The types on the stack. One of them may override the twin that a base class declares.</param>
    public static string? Find(MethodBase method, WaitKind kind, params ReadOnlySpan<Type?> inUse)
    {
        if (method.DeclaringType is not { } declaring || method.IsConstructor || method.Name.EndsWith(Suffix, StringComparison.Ordinal))
        {
            return null;
        }

        try
        {
            return Known(declaring, method.Name)
                ?? (Search(declaring, method.Name + Suffix, kind) is { } twin
                    && SynchronousProviders.IsAsynchronous(InUse(declaring, inUse), twin) ? twin : null);
        }
        catch (Exception)
        {
            // Damaged metadata, or a platform that has none at run time.
            return null;
        }
    }

    private static Type InUse(Type declaring, ReadOnlySpan<Type?> onStack)
    {
        foreach (var type in onStack)
        {
            if (type?.IsSubclassOf(declaring) == true)
            {
                return type;
            }
        }

        return declaring;
    }

    private static string? Search(Type declaring, string twin, WaitKind kind)
    {
        for (var type = declaring; type is not null; type = type.BaseType)
        {
            var token = type.MetadataToken;
            if (Declares(type.Assembly, _ => (TypeDefinitionHandle)MetadataTokens.EntityHandle(token), twin))
            {
                return twin;
            }
        }

        // A query is made with LINQ and awaited with EF Core's extension methods.
        return kind == WaitKind.EfCore && declaring is { Namespace: "System.Linq", Name: "Enumerable" or "Queryable" }
            && Array.Find(AppDomain.CurrentDomain.GetAssemblies(), a => !a.IsDynamic && a.GetName().Name == EfCore) is { } efCore
            && Declares(efCore, reader => reader.TypeDefinitions.FirstOrDefault(t => IsNamed(reader, t, EfCore, EfCoreQueries)), twin)
            ? twin
            : null;
    }

    // Twins that aren't named after the method with an Async suffix.
    private static string? Known(Type type, string method) => (type.FullName, method) switch
    {
        ("System.Threading.Thread", "Sleep") => "Task.Delay",
        ("System.Threading.Tasks.Task", "WaitAll") => "Task.WhenAll",
        ("System.Threading.Tasks.Task", "WaitAny") => "Task.WhenAny",
        (_, "ReadByte") when typeof(Stream).IsAssignableFrom(type) => "ReadAsync",
        (_, "WriteByte") when typeof(Stream).IsAssignableFrom(type) => "WriteAsync",
        _ => null,
    };

    private static unsafe bool Declares(Assembly assembly, Func<MetadataReader, TypeDefinitionHandle> find, string method)
    {
        if (assembly.IsDynamic || !assembly.TryGetRawMetadata(out var metadata, out var length))
        {
            return false;
        }

        var reader = new MetadataReader(metadata, length);
        var type = find(reader);
        var declares = !type.IsNil
            && reader.GetTypeDefinition(type).GetMethods().Any(handle => IsTwin(reader, reader.GetMethodDefinition(handle), method));

        // The metadata belongs to the assembly, which may be unloaded.
        GC.KeepAlive(assembly);
        return declares;
    }

    private static bool IsTwin(MetadataReader reader, MethodDefinition method, string name) =>
        (method.Attributes & MethodAttributes.MemberAccessMask) == MethodAttributes.Public
        && reader.StringComparer.Equals(method.Name, name)
        && ReturnsAwaitable(reader, reader.GetBlobReader(method.Signature));

    private static bool ReturnsAwaitable(MetadataReader reader, BlobReader signature)
    {
        if (signature.ReadSignatureHeader().IsGeneric)
        {
            signature.ReadCompressedInteger();
        }

        signature.ReadCompressedInteger();
        var code = signature.ReadSignatureTypeCode();
        if (code == SignatureTypeCode.GenericTypeInstance)
        {
            code = signature.ReadSignatureTypeCode();
        }

        return code == SignatureTypeCode.TypeHandle && Array.IndexOf(s_awaitable, NameOf(reader, signature.ReadTypeHandle())) >= 0;
    }

    private static string? NameOf(MetadataReader reader, EntityHandle type) => type.Kind switch
    {
        HandleKind.TypeReference => reader.GetString(reader.GetTypeReference((TypeReferenceHandle)type).Name),
        HandleKind.TypeDefinition => reader.GetString(reader.GetTypeDefinition((TypeDefinitionHandle)type).Name),
        _ => null,
    };

    private static bool IsNamed(MetadataReader reader, TypeDefinitionHandle handle, string space, string name)
    {
        var type = reader.GetTypeDefinition(handle);
        return reader.StringComparer.Equals(type.Name, name) && reader.StringComparer.Equals(type.Namespace, space);
    }
}
