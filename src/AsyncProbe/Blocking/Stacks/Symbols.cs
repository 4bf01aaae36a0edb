using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace AsyncProbe.Blocking.Stacks;

/// <summary>One assembly's portable symbols.</summary>
/// <param name="provider">Owns the memory that is read.</param>
internal sealed class Symbols(MetadataReaderProvider provider)
{
    private readonly MetadataReader _reader = provider.GetMetadataReader();
    private SourceRoot? _root;

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
                // What a view's compiler adds, a partial view's call for example, has no line; the line before has nothing to do with it.
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

        return best is { IsHidden: false } found ? new SourceLine(PathOf(found), found.StartLine) : null;
    }

    private bool IsView(SequencePoint point) => PathOf(point) is var path && (path.EndsWith(".cshtml", StringComparison.Ordinal) || path.EndsWith(".razor", StringComparison.Ordinal));

    private string PathOf(SequencePoint point) => Root.Relative(NameOf(point.Document));

    private SourceRoot Root => _root ??= SourceRoot.From(_reader.Documents.Select(NameOf));

    private string NameOf(DocumentHandle document) => _reader.GetString(_reader.GetDocument(document).Name);
}
