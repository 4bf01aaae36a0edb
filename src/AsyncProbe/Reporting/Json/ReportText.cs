using System.Buffers;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace AsyncProbe.Reporting.Json;

/// <summary>
/// The report as UTF-8. A large app's report is a megabyte, so buffers are reused: new ones of that size would cause full garbage
/// collections in the app.
/// </summary>
internal sealed class ReportText(ReportBuilder reports)
{
    // The largest buffer, in bytes, that is kept between two reports.
    private const int MostKept = 4 << 20;

    // Leaves "×" and "<" unescaped for people who use curl. That's safe, because the answer is never HTML and says "nosniff".
    private static readonly JsonWriterOptions s_options = new()
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        SkipValidation = true,
    };

    private ArrayBufferWriter<byte>? _spare;

    /// <summary>The caller owns the buffer until it gives it back. Don't give back a buffer that may still be read somewhere.</summary>
    public ArrayBufferWriter<byte> Make(string? filter, int historySeconds = int.MaxValue)
    {
        var buffer = Interlocked.Exchange(ref _spare, null) ?? new ArrayBufferWriter<byte>(16 << 10);
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

    public byte[] MakeCopy(int historySeconds = int.MaxValue)
    {
        var buffer = Make(null, historySeconds);
        var copy = buffer.WrittenSpan.ToArray();
        GiveBack(buffer);
        return copy;
    }

    public void GiveBack(ArrayBufferWriter<byte> buffer)
    {
        if (buffer.Capacity <= MostKept)
        {
            buffer.ResetWrittenCount();
            Volatile.Write(ref _spare, buffer);
        }
    }
}
