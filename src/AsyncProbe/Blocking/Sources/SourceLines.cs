using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using System.Runtime.CompilerServices;

namespace AsyncProbe.Blocking.Sources;

/// <summary>Finds the source line of a place in a method, from the portable symbols next to its assembly or embedded in it.</summary>
internal static class SourceLines
{
    // Keeps symbols as long as their assembly, which may be unloaded.
    private static readonly ConditionalWeakTable<Assembly, StrongBox<Symbols?>> s_symbols = [];

    public static SourceLine? Find(MethodBase method, int ilOffset) =>
        ilOffset < 0 ? null : Ask(method, (symbols, points) => symbols.LineOf(points, ilOffset));

    /// <summary>Whether the statements of a method are known.</summary>
    public static bool AreKnown(MethodBase method) => Ask(method, (_, points) => points.Count > 0);

    /// <summary>
    /// The line of a statement that has no sequence point. It begins between the statement at an instruction and the next statement.
    /// </summary>
    public static SourceLine? Behind(MethodBase method, int ilOffset) => Ask(method, (symbols, points) =>
    {
        var before = points.FindLastIndex(p => !p.IsHidden && p.Offset <= ilOffset);
        var next = points.Find(p => !p.IsHidden && p.Offset > ilOffset);
        var line = symbols.LineOf(points, ilOffset);
        return before < 0 || next.EndLine == 0 || next.StartLine < points[before].EndLine
            ? line
            : line! with { Line = Math.Min(points[before].EndLine + 1, next.StartLine) };
    });

    /// <summary>Whether a place is the opening brace of a block. No statement is a single character long.</summary>
    public static bool IsBrace(MethodBase method, int ilOffset) => Ask(method, (_, points) =>
        points.FindLast(p => p.Offset <= ilOffset) is { IsHidden: false } place
            && place.StartLine == place.EndLine && place.EndColumn - place.StartColumn == 1);

    /// <summary>Whether a line begins within a part of a method.</summary>
    public static bool HasOneBetween(MethodBase method, int from, int to) =>
        Ask(method, (_, points) => points.Exists(p => !p.IsHidden && p.Offset >= from && p.Offset <= to));

    /// <summary>The line of a method that has only one.</summary>
    public static SourceLine? Only(MethodBase method) =>
        Ask(method, (symbols, points) =>
            points.Where(p => !p.IsHidden).Select(p => p.StartLine).Distinct().Count() == 1
                ? symbols.LineOf(points, points.Find(p => !p.IsHidden).Offset)
                : null);

    /// <summary>The first and last instructions of the statement that an instruction belongs to; null when unknown.</summary>
    public static (int From, int To)? Statement(MethodBase method, int ilOffset)
    {
        return Ask<(int, int)?>(method, (_, points) =>
        {
            var i = points.FindLastIndex(p => p.Offset <= ilOffset);
            return i < 0 ? null : (points[i].Offset, i + 1 < points.Count ? points[i + 1].Offset - 1 : int.MaxValue);
        });
    }

    private static T? Ask<T>(MethodBase method, Func<Symbols, List<SequencePoint>, T> question)
    {
        if (method.DeclaringType is null)
        {
            return default;
        }

        try
        {
            var symbols = s_symbols.GetValue(method.Module.Assembly, static a => new StrongBox<Symbols?>(Open(a))).Value;
            return symbols?.PointsOf(method.MetadataToken) is { Count: > 0 } points ? question(symbols, points) : default;
        }
        catch (Exception e) when (Symbols.CannotBeRead(e))
        {
            // A site without a line is still a site.
            return default;
        }
    }

    [UnconditionalSuppressMessage("SingleFile", "IL3000", Justification = "An assembly without a file has no symbols beside it.")]
    private static Symbols? Open(Assembly assembly)
    {
        if (assembly.IsDynamic)
        {
            return null;
        }

        if (assembly.Location is not { Length: > 0 } path)
        {
            return Assembly.GetEntryAssembly()?.Location.Length == 0 ? OpenNextToExecutable(assembly) : null;
        }

        using var image = new PEReader(File.OpenRead(path));
        return image.TryOpenAssociatedPortablePdb(path, name => File.Exists(name) ? File.OpenRead(name) : null, out var provider, out _)
            ? new Symbols(provider!)
            : null;
    }

    // A single-file app has its symbols next to the executable. The number of methods must match, because symbols of an older build may be
    // there under the same name.
    private static unsafe Symbols? OpenNextToExecutable(Assembly assembly)
    {
        var path = Path.Combine(AppContext.BaseDirectory, assembly.GetName().Name + ".pdb");
        if (!File.Exists(path) || !assembly.TryGetRawMetadata(out var metadata, out var length))
        {
            return null;
        }

        var provider = MetadataReaderProvider.FromPortablePdbStream(File.OpenRead(path));
        if (provider.GetMetadataReader().GetTableRowCount(TableIndex.MethodDebugInformation)
            == new MetadataReader(metadata, length).GetTableRowCount(TableIndex.MethodDef))
        {
            return new Symbols(provider);
        }

        provider.Dispose();
        return null;
    }
}
