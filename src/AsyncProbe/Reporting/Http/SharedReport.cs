using System.IO.Compression;

namespace AsyncProbe.Reporting.Http;

/// <summary>A report that open pages share.</summary>
/// <param name="json">The report as UTF-8.</param>
internal sealed class SharedReport(byte[] json)
{
    // In bytes; a smaller report is sent uncompressed.
    private const int LeastCompressed = 32 << 10;

    private byte[]? _gzip;

    public byte[] Json => json;

    /// <summary>
    /// The JSON, compressed on first use: sending most of a megabyte to twenty pages would cost more. Null for a small report.
    /// </summary>
    public byte[]? Gzip => json.Length < LeastCompressed ? null : _gzip ??= Compress();

    private byte[] Compress()
    {
        using var compressed = new MemoryStream(json.Length / 8);
        using (var gzip = new GZipStream(compressed, CompressionLevel.Fastest))
        {
            gzip.Write(json);
        }

        return compressed.ToArray();
    }
}
