using System.Buffers;

namespace AsyncProbe.Reporting.Json;

/// <summary>The report as UTF-8.</summary>
internal sealed class ReportText(ReportBuilder reports)
{
    public SpareBuffer Buffers { get; } = new();

    /// <summary>The caller owns the buffer until it gives it back to <see cref="Buffers"/>.</summary>
    public ArrayBufferWriter<byte> Make(string? filter, int historySeconds = int.MaxValue)
    {
        var buffer = Buffers.Take();
        ReportJson.Write(buffer, reports.Build(filter, historySeconds), static json => json.Report);
        return buffer;
    }

    public byte[] MakeCopy(int historySeconds = int.MaxValue) => Buffers.ToArray(Make(null, historySeconds));
}
