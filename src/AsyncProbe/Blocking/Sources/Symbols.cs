using System.Collections.Concurrent;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace AsyncProbe.Blocking.Sources;

/// <summary>One assembly's portable symbols.</summary>
/// <param name="provider">Owns the memory of the metadata.</param>
internal sealed class Symbols(MetadataReaderProvider provider)
{
    // The id of SHA-256 in the portable symbol format.
    private static readonly Guid s_sha256 = new("8829d00f-11b8-4213-878b-770e8597ac16");

    private readonly MetadataReader _reader = provider.GetMetadataReader();
    private readonly ConcurrentDictionary<DocumentHandle, SourceFile> _files = new();
    private SourceRoot? _root;

    /// <summary>
    /// Whether an exception says that an assembly or its symbols are missing, locked or damaged. The reader has no exception of its own for
    /// damage: it also fails at the casts, arguments and sums that a damaged file leads it to.
    /// </summary>
    public static bool CannotBeRead(Exception e) =>
        e is IOException or UnauthorizedAccessException or BadImageFormatException or InvalidOperationException or ArgumentException
            or InvalidCastException or OverflowException;

    public List<SequencePoint>? PointsOf(int token) =>
        MetadataTokens.EntityHandle(token) is { Kind: HandleKind.MethodDefinition } handle
            ? [.. _reader.GetMethodDebugInformation(((MethodDefinitionHandle)handle).ToDebugInformationHandle()).GetSequencePoints()]
            : null;

    public SourceLine? LineOf(List<SequencePoint> points, int ilOffset)
    {
        SequencePoint? best = null;
        foreach (var point in points)
        {
            if (point.IsHidden)
            {
                // Code that a view's compiler adds, such as a partial view's call, has no line. The line before it is unrelated.
                if (best is { } visible && point.Offset <= ilOffset && IsView(visible))
                {
                    best = point;
                }
            }
            else if (point.Offset <= ilOffset || best is null)
            {
                best = point;
            }
        }

        return best is { IsHidden: false } found
            ? new SourceLine(PathOf(found), found.StartLine) { Source = _files.GetOrAdd(found.Document, FileOf) }
            : null;
    }

    private bool IsView(SequencePoint point) =>
        PathOf(point) is var path
            && (path.EndsWith(".cshtml", StringComparison.Ordinal) || path.EndsWith(".razor", StringComparison.Ordinal));

    private string PathOf(SequencePoint point) => Root.Relative(NameOf(point.Document));

    private SourceRoot Root => _root ??= SourceRoot.From(_reader.Documents.Select(NameOf));

    private SourceFile FileOf(DocumentHandle handle)
    {
        var document = _reader.GetDocument(handle);
        return new SourceFile(
            _reader.GetString(document.Name),
            _reader.GetGuid(document.HashAlgorithm) == s_sha256 ? _reader.GetBlobBytes(document.Hash) : []);
    }

    private string NameOf(DocumentHandle document) => _reader.GetString(_reader.GetDocument(document).Name);
}
