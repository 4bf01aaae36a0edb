using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Sources;

namespace AsyncProbe.Blocking.Sites;

/// <summary>
/// What makes call sites one to a reader. One source line may be several places in the compiled method, and different ones once it's
/// optimised.
/// </summary>
internal readonly record struct ReportedPlace(WaitKind Kind, string? Method, SourceLine? Line, string? Allowed)
{
    public static ReportedPlace Of(BlockingSite site) => new(site.Kind, site.At?.Frame.FullName, site.At?.Line, site.Allowed);
}
