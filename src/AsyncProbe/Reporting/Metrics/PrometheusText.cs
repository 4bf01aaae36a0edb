using System.Buffers;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Text;
using AsyncProbe.Clocks;
using AsyncProbe.Requests.Counts;

namespace AsyncProbe.Reporting.Metrics;

/// <summary>
/// The metrics as text for Prometheus to scrape. The names follow OpenTelemetry's translation of the meter's instruments. Everything runs
/// on the caller's thread, so this works even when no pool thread is free.
/// </summary>
internal sealed class PrometheusText(MetricFigures figures)
{
    private static readonly byte[] s_infinity = Encoding.UTF8.GetBytes("le=\"+Inf\"");

    private readonly ConcurrentDictionary<EndpointTotals, byte[]> _endpointLabels = new();
    private readonly ConcurrentDictionary<EndpointTotals, byte[]> _bucketLabels = new();
    private readonly System.Runtime.CompilerServices.ConditionalWeakTable<BlockingSeries, byte[]> _seriesLabels = [];

    public SpareBuffer Buffers { get; } = new();

    /// <summary>The caller owns the buffer until it gives it back to <see cref="Buffers"/>.</summary>
    public ArrayBufferWriter<byte> Make(PrometheusFormat format)
    {
        var buffer = Buffers.Take();
        var writer = new PrometheusWriter(buffer, format);
        WriteHeld(writer, MetricDefinitions.Requests, areOperations: false);
        WriteHeld(writer, MetricDefinitions.Operations, areOperations: true);
        WriteWaits(writer);
        WritePool(writer);
        writer.Begin(MetricDefinitions.BuildInfo);
        writer.Count(NameOf(MetricDefinitions.BuildInfo), [], PrometheusWriter.Labels(figures.Build), 1);
        writer.End();
        return buffer;
    }

    public byte[] MakeCopy(PrometheusFormat format) => Buffers.ToArray(Make(format));

    private void WriteHeld(PrometheusWriter writer, HeldPart[] parts, bool areOperations)
    {
        List<(EndpointTotals Endpoint, long Requests, HeldSplit Held)> rows = [];
        foreach (var endpoint in figures.Endpoints)
        {
            if (endpoint.IsOperation == areOperations && endpoint.Counts.ReadEnded() is (> 0 and var requests, var held))
            {
                rows.Add((endpoint, requests, held));
            }
        }

        foreach (var part in parts)
        {
            if (part.IsAvailable && rows.Count > 0)
            {
                WriteHistogram(writer, part, rows);
            }
        }
    }

    private void WriteHistogram(PrometheusWriter writer, HeldPart part, List<(EndpointTotals Endpoint, long Requests, HeldSplit Held)> rows)
    {
        writer.Begin(part.Metric);
        var name = NameOf(part.Metric);
        foreach (var (endpoint, requests, held) in rows)
        {
            var labels = LabelsOf(endpoint);
            writer.Count(name, "_bucket"u8, BucketLabelsOf(endpoint), requests);
            writer.Count(name, "_count"u8, labels, requests);
            writer.Seconds(name, "_sum"u8, labels, part.Of(held));
        }
    }

    private void WriteWaits(PrometheusWriter writer)
    {
        var series = figures.BlockingTime.Read();
        if (series.Count > 0)
        {
            writer.Begin(MetricDefinitions.BlockingTime);
            foreach (var one in series)
            {
                var labels = _seriesLabels.GetValue(one, static s => PrometheusWriter.Labels(s.Tags));
                writer.Seconds(NameOf(MetricDefinitions.BlockingTime), "_total"u8, labels, one.Total);
            }
        }

        var isFirst = true;
        foreach (var (tags, count) in figures.Calls)
        {
            Begin(writer, MetricDefinitions.BlockingCalls, ref isFirst);
            writer.Count(NameOf(MetricDefinitions.BlockingCalls), "_total"u8, PrometheusWriter.Labels(tags), count);
        }

        isFirst = true;
        foreach (var (endpoint, share) in figures.Explained)
        {
            Begin(writer, MetricDefinitions.Explained, ref isFirst);
            writer.Number(NameOf(MetricDefinitions.Explained), LabelsOf(endpoint), share);
        }
    }

    private void WritePool(PrometheusWriter writer)
    {
        var isFirst = true;
        foreach (var (tags, value) in figures.States)
        {
            Begin(writer, MetricDefinitions.State, ref isFirst);
            writer.Count(NameOf(MetricDefinitions.State), [], PrometheusWriter.Labels(tags), value);
        }

        Gauge(writer, MetricDefinitions.QueueDelay, figures.QueueDelay);
        Gauge(writer, MetricDefinitions.BlockedThreads, figures.BlockedThreads);
        Gauge(writer, MetricDefinitions.Threads, figures.Threads);
        Gauge(writer, MetricDefinitions.Pending, figures.Pending);
    }

    private static void Gauge(PrometheusWriter writer, MetricDefinition metric, double? value)
    {
        if (value is { } known)
        {
            writer.Begin(metric);
            writer.Number(NameOf(metric), [], known);
        }
    }

    // Writes the header before the first sample, so a metric without samples has none.
    private static void Begin(PrometheusWriter writer, MetricDefinition metric, ref bool isFirst)
    {
        if (isFirst)
        {
            writer.Begin(metric);
            isFirst = false;
        }
    }

    private static byte[] NameOf(MetricDefinition metric) => metric.PrometheusNameBytes;

    // This cache can't grow without limit: the endpoint table is bounded and never removes an endpoint.
    private byte[] LabelsOf(EndpointTotals endpoint) => _endpointLabels.GetOrAdd(endpoint, static e =>
    {
        var tags = default(TagList);
        MetricTags.AddEndpoint(ref tags, e);
        return PrometheusWriter.Labels(tags);
    });

    private byte[] BucketLabelsOf(EndpointTotals endpoint) =>
        _bucketLabels.TryGetValue(endpoint, out var known)
            ? known
            : _bucketLabels.GetOrAdd(endpoint, [.. LabelsOf(endpoint), (byte)',', .. s_infinity]);
}
