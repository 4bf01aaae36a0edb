using System.Reflection;
using AsyncProbe.Reporting.Lifeline;
using AsyncProbe.Wiring;

namespace AsyncProbe.Attach;

/// <summary>
/// The report of an application that uses the AsyncProbe package. The tool reads that report, so nothing is measured twice.
/// </summary>
internal sealed class PackageReport(Func<int, byte[]> report)
{
    private readonly LifelineFiles _files = new();

    /// <summary>Returns null if the application doesn't use AsyncProbe.</summary>
    public static PackageReport? Find() =>
        AppDomain.CurrentDomain.GetAssemblies().Where(IsThePackage).Select(Report).OfType<PackageReport>().FirstOrDefault();

    public LifelineAnswer Answer(LifelineRequest request) => request switch
    {
        { Status: not 200 } => new(request.Status, LifelineAnswer.Json, [], []),
        _ when _files.Find(request) is { } file => file,
        { Path: "/" } => new(200, LifelineAnswer.Json, report(request.HistorySeconds), []),
        _ => new(404, LifelineAnswer.Json, [], []),
    };

    private static bool IsThePackage(Assembly assembly) =>
        assembly != typeof(AttachPoint).Assembly && assembly.FullName?.StartsWith("AsyncProbe,", StringComparison.Ordinal) == true;

    // The AsyncProbe of another attached tool has the type, too, but no host sets its report.
    private static PackageReport? Report(Assembly package) =>
        package.GetType(typeof(AttachPoint).FullName!)?.GetProperty(nameof(AttachPoint.Report))?.GetValue(null) is Func<int, byte[]> report
            ? new(report)
            : null;
}
