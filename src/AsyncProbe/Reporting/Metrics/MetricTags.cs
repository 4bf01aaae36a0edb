using System.Diagnostics;
using AsyncProbe.Requests.Endpoints;

namespace AsyncProbe.Reporting.Metrics;

/// <summary>The tags of metrics: the one place that says how a request's endpoint is told.</summary>
internal static class MetricTags
{
    public const string State = "asyncprobe.state";
    public const string Allowed = "asyncprobe.allowed";
    public const string Line = "code.line.number";
    public const string Version = "asyncprobe.version";
    public const string Detection = "asyncprobe.detection";
    public const string RuntimeVersion = "process.runtime.version";

    private const string Route = "http.route";
    private const string Method = "http.request.method";
    private const string Source = "asyncprobe.source";
    private const string Operation = "asyncprobe.operation";

    /// <summary>Whose figures they are.</summary>
    public static void AddEndpoint(ref TagList tags, EndpointTotals totals) => Add(ref tags, totals, totals.Route);

    /// <summary>The same by the name under which call sites have it.</summary>
    public static void AddEndpoint(ref TagList tags, string name, EndpointTable endpoints)
    {
        if (endpoints.Find(name) is { } totals)
        {
            AddEndpoint(ref tags, totals);
        }
        else if (name.EndsWith(EndpointName.AfterResponse, StringComparison.Ordinal)
            && endpoints.Find(name[..^EndpointName.AfterResponse.Length]) is { } before)
        {
            // As the report has it. It is not in the figures of requests, so that it must not be compared with them.
            Add(ref tags, before, (before.Route ?? before.Endpoint) + EndpointName.AfterResponse);
        }
        else
        {
            tags.Add(Route, name);
            tags.Add(Method, EndpointName.OtherMethod);
        }
    }

    private static void Add(ref TagList tags, EndpointTotals totals, string? route)
    {
        if (totals.IsOperation)
        {
            tags.Add(Source, totals.Source);
            tags.Add(Operation, route);
            return;
        }

        // Nothing matched, or a file was served: there is no route.
        if (route is not null)
        {
            tags.Add(Route, route);
        }

        tags.Add(Method, totals.Method);
    }
}
