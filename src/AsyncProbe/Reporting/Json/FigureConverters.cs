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
        var json = new FigureWriter(stackalloc byte[MostBytes]);
        Write(ref json, value);
        writer.WriteRawValue(json.Text, skipInputValidation: true);
    }

    protected abstract void Write(ref FigureWriter json, T value);
}

internal sealed class TimesConverter : FigureConverter<TimesReport>
{
    protected override void Write(ref FigureWriter json, TimesReport value)
    {
        json.Milliseconds("{\"total\":"u8, value.Total);
        json.Milliseconds(",\"mean\":"u8, value.Mean);
        json.Milliseconds(",\"max\":"u8, value.Max);
        json.Add("}"u8);
    }
}

internal sealed class DurationConverter : FigureConverter<DurationReport>
{
    protected override void Write(ref FigureWriter json, DurationReport value)
    {
        json.Milliseconds("{\"mean\":"u8, value.Mean);
        json.Milliseconds(",\"p50\":"u8, value.P50);
        json.Milliseconds(",\"p95\":"u8, value.P95);
        json.Milliseconds(",\"p99\":"u8, value.P99);
        json.Milliseconds(",\"max\":"u8, value.Max);
        json.Add("}"u8);
    }
}

internal sealed class RecentConverter : FigureConverter<RecentReport>
{
    protected override void Write(ref FigureWriter json, RecentReport value)
    {
        json.Number("{\"requests\":"u8, value.Requests);
        json.Milliseconds(",\"heldMs\":"u8, value.Held);
        json.Milliseconds(",\"cpuMs\":"u8, value.Cpu);
        json.Milliseconds(",\"blockedMs\":"u8, value.Blocked);
        json.Milliseconds(",\"allowedMs\":"u8, value.Allowed);
        json.Milliseconds(",\"locksMs\":"u8, value.Locks);
        json.Milliseconds(",\"providerMs\":"u8, value.Provider);
        json.Milliseconds(",\"unclearMs\":"u8, value.Unclear);
        json.Milliseconds(",\"unexplainedMs\":"u8, value.Unexplained);
        json.Milliseconds(",\"durationMs\":"u8, value.Duration);
        json.Add("}"u8);
    }
}

internal sealed class CeilingConverter : FigureConverter<CeilingReport>
{
    protected override void Write(ref FigureWriter json, CeilingReport value)
    {
        json.Number("{\"threads\":"u8, value.Threads);
        json.Add(",\"now\":"u8);
        Write(ref json, value.Now);
        json.Add(",\"ifAsync\":"u8);
        Write(ref json, value.IfAsync);
        json.Add("}"u8);
    }

    private static void Write(ref FigureWriter json, Rate rate)
    {
        json.Tenths("{\"low\":"u8, rate.Low);
        json.Tenths(",\"high\":"u8, rate.High);
        json.Add("}"u8);
    }
}

internal sealed class PoolSecondConverter : FigureConverter<PoolSecondReport>
{
    protected override void Write(ref FigureWriter json, PoolSecondReport value)
    {
        var second = value.Second;
        json.Time("{\"at\":"u8, second.At);
        json.Number(",\"threads\":"u8, second.Threads);
        json.Number(",\"pending\":"u8, second.Pending);
        json.Number(",\"busy\":"u8, second.Busy);
        json.Milliseconds(",\"queueDelayMs\":"u8, second.QueueDelay);
        json.Number(",\"blockedThreads\":"u8, second.BlockedThreads);
        json.Tenths(",\"cpuPercent\":"u8, second.CpuPercent);
        json.Tenths(",\"requestsPerSecond\":"u8, second.RequestsPerSecond);
        json.Add("}"u8);
    }
}
