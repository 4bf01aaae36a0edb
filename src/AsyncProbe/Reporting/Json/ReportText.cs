using System.Buffers;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace AsyncProbe.Reporting.Json;

/// <summary>The report as UTF-8.</summary>
internal sealed class ReportText(ReportBuilder reports)
{
    // Leaves "×" and "<" unescaped for people who use curl. That's safe, because the answer is never HTML and says "nosniff".
    private static readonly JsonWriterOptions s_options = new()
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        SkipValidation = true,
    };

    public SpareBuffer Buffers { get; } = new();

    /// <summary>The caller owns the buffer until it gives it back to <see cref="Buffers"/>.</summary>
    public ArrayBufferWriter<byte> Make(string? filter, int historySeconds = int.MaxValue)
    {
        var buffer = Buffers.Take();
        using var json = new Utf8JsonWriter(buffer, s_options);
        try
        {
            JsonSerializer.Serialize(json, reports.Build(filter, historySeconds), ReportJson.Current.Report);
        }
        catch (Exception)
        {
            ReportJson.Renew();
            throw;
        }

        return buffer;
    }

    public byte[] MakeCopy(int historySeconds = int.MaxValue) => Buffers.ToArray(Make(null, historySeconds));
}
