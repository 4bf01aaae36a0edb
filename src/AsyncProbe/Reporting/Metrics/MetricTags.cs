using System.Diagnostics;
using AsyncProbe.Common;
using AsyncProbe.Requests.Counts;
using AsyncProbe.Requests.Endpoints;

namespace AsyncProbe.Reporting.Metrics;

/// <summary>The tags of the metrics, and the only place that decides how an endpoint becomes tags.</summary>
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

    /// <summary>Adds the endpoint or operation that the figures belong to.</summary>
    public static void AddEndpoint(ref TagList tags, EndpointTotals totals) => Add(ref tags, totals, totals.Route);

    /// <summary>Adds the endpoint or operation with this name; call sites use the same name.</summary>
    public static void AddEndpoint(ref TagList tags, string name, EndpointTable endpoints)
    {
        if (endpoints.Find(name) is { } totals)
        {
            AddEndpoint(ref tags, totals);
        }
        else if (name.EndsWith(RowNames.AfterResponse, StringComparison.Ordinal)
            && endpoints.Find(name[..^RowNames.AfterResponse.Length]) is { } before)
        {
            // Named as in the report. This time is not part of the requests' figures and must not be compared with them.
            Add(ref tags, before, (before.Route ?? before.Endpoint) + RowNames.AfterResponse);
        }
        else
        {
            tags.Add(Route, name);
            tags.Add(Method, RowNames.OtherMethod);
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

        // Without a match, or for a static file, the request has no route.
        if (route is not null)
        {
            tags.Add(Route, route);
        }

        tags.Add(Method, totals.Method);
    }
}
