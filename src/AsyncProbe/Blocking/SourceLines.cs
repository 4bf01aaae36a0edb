using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;

namespace AsyncProbe.Blocking;

/// <summary>Finds the source line of a place in a method, from the portable symbols beside or inside its assembly.</summary>
internal static class SourceLines
{
    private static readonly ConcurrentDictionary<Assembly, Symbols?> s_symbols = new();

    public static SourceLine? Find(MethodBase method, int ilOffset)
    {
        if (ilOffset < 0 || method.DeclaringType is null)
        {
            return null;
        }

        try
        {
            return s_symbols.GetOrAdd(method.Module.Assembly, static a => Open(a)) is { } symbols ? Find(symbols.Reader, method.MetadataToken, ilOffset) : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or BadImageFormatException or InvalidOperationException or ArgumentException)
        {
            // A site without a line is still a site.
            return null;
        }
    }

    private static SourceLine? Find(MetadataReader reader, int token, int ilOffset)
    {
        if (MetadataTokens.EntityHandle(token) is not { Kind: HandleKind.MethodDefinition } handle)
        {
            return null;
        }

        var method = reader.GetMethodDebugInformation(((MethodDefinitionHandle)handle).ToDebugInformationHandle());
        SequencePoint? best = null;
        foreach (var point in method.GetSequencePoints())
        {
            if (!point.IsHidden && (point.Offset <= ilOffset || best is null))
            {
                best = point;
            }
        }

        return best is { } found ? new SourceLine(reader.GetString(reader.GetDocument(found.Document).Name), found.StartLine) : null;
    }

    [UnconditionalSuppressMessage("SingleFile", "IL3000", Justification = "An assembly without a file has no symbols beside it.")]
    private static Symbols? Open(Assembly assembly)
    {
        if (assembly.IsDynamic || assembly.Location is not { Length: > 0 } path)
        {
            return null;
        }

        using var image = new PEReader(File.OpenRead(path));
        return image.TryOpenAssociatedPortablePdb(path, name => File.Exists(name) ? File.OpenRead(name) : null, out var provider, out _)
            ? new Symbols(provider!, provider!.GetMetadataReader())
            : null;
    }

    /// <summary>The provider owns the memory that the reader reads.</summary>
    private sealed record Symbols(MetadataReaderProvider Provider, MetadataReader Reader);
}
