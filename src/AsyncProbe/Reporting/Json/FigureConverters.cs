using System.Text.Json;
using System.Text.Json.Serialization;
using AsyncProbe.Rules;

namespace AsyncProbe.Reporting.Json;

/// <summary>Writes an object that contains only figures as one raw value.</summary>
internal abstract class FigureConverter<T> : JsonConverter<T>
{
    // The longest of these objects has ten figures with at most twenty digits each.
    private const int MostBytes = 400;

    public sealed override T Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        throw new NotSupportedException("The report is written and never read.");

    public sealed override void Write(Utf8JsonWriter writer, T value, JsonSerializerOptions options)
    {
        var json = new FigureText(stackalloc byte[MostBytes]);
        Write(ref json, value);
        writer.WriteRawValue(json.Text, skipInputValidation: true);
    }

    protected abstract void Write(ref FigureText json, T value);
}

internal sealed class TimesConverter : FigureConverter<TimesReport>
{
    protected override void Write(ref FigureText json, TimesReport value)
    {
        json.Add("{\"total\":"u8);
        json.Milliseconds(value.Total);
        json.Add(",\"mean\":"u8);
        json.Milliseconds(value.Mean);
        json.Add(",\"max\":"u8);
        json.Milliseconds(value.Max);
        json.Add("}"u8);
    }
}

internal sealed class DurationConverter : FigureConverter<DurationReport>
{
    protected override void Write(ref FigureText json, DurationReport value)
    {
        json.Add("{\"mean\":"u8);
        json.Milliseconds(value.Mean);
        json.Add(",\"p50\":"u8);
        json.Milliseconds(value.P50);
        json.Add(",\"p95\":"u8);
        json.Milliseconds(value.P95);
        json.Add(",\"p99\":"u8);
        json.Milliseconds(value.P99);
        json.Add(",\"max\":"u8);
        json.Milliseconds(value.Max);
        json.Add("}"u8);
    }
}

internal sealed class RecentConverter : FigureConverter<RecentReport>
{
    protected override void Write(ref FigureText json, RecentReport value)
    {
        json.Add("{\"requests\":"u8);
        json.Number(value.Requests);
        json.Add(",\"heldMs\":"u8);
        json.Milliseconds(value.Held);
        json.Add(",\"cpuMs\":"u8);
        json.Milliseconds(value.Cpu);
        json.Add(",\"blockedMs\":"u8);
        json.Milliseconds(value.Blocked);
        json.Add(",\"allowedMs\":"u8);
        json.Milliseconds(value.Allowed);
        json.Add(",\"locksMs\":"u8);
        json.Milliseconds(value.Locks);
        json.Add(",\"providerMs\":"u8);
        json.Milliseconds(value.Provider);
        json.Add(",\"unclearMs\":"u8);
        json.Milliseconds(value.Unclear);
        json.Add(",\"unexplainedMs\":"u8);
        json.Milliseconds(value.Unexplained);
        json.Add(",\"durationMs\":"u8);
        json.Milliseconds(value.Duration);
        json.Add("}"u8);
    }
}

internal sealed class CeilingConverter : FigureConverter<CeilingReport>
{
    protected override void Write(ref FigureText json, CeilingReport value)
    {
        json.Add("{\"threads\":"u8);
        json.Number(value.Threads);
        json.Add(",\"now\":"u8);
        Write(ref json, value.Now);
        json.Add(",\"ifAsync\":"u8);
        Write(ref json, value.IfAsync);
        json.Add("}"u8);
    }

    private static void Write(ref FigureText json, Rate rate)
    {
        json.Add("{\"low\":"u8);
        json.Tenths(rate.Low);
        json.Add(",\"high\":"u8);
        json.Tenths(rate.High);
        json.Add("}"u8);
    }
}

internal sealed class PoolSecondConverter : FigureConverter<PoolSecondReport>
{
    protected override void Write(ref FigureText json, PoolSecondReport value)
    {
        var second = value.Second;
        json.Add("{\"at\":"u8);
        json.Time(second.At);
        json.Add(",\"threads\":"u8);
        json.Number(second.Threads);
        json.Add(",\"pending\":"u8);
        json.Number(second.Pending);
        json.Add(",\"busy\":"u8);
        json.Number(second.Busy);
        json.Add(",\"queueDelayMs\":"u8);
        json.Milliseconds(second.QueueDelay);
        json.Add(",\"blockedThreads\":"u8);
        json.Number(second.BlockedThreads);
        json.Add(",\"cpuPercent\":"u8);
        json.Tenths(second.CpuPercent);
        json.Add(",\"requestsPerSecond\":"u8);
        json.Tenths(second.RequestsPerSecond);
        json.Add("}"u8);
    }
}
