using System.IO.Compression;
using AsyncProbe.Common;

namespace AsyncProbe.Reporting.Http;

/// <summary>
/// The report that open pages get. Each page asks once a second, and all of them share one body a second, so twenty pages cost little more
/// than one. A body is kept for less than a second, so no page gets the same one twice and no figure is older than the second it covers.
/// </summary>
internal sealed class SharedReport
{
    private static Duration KeptFor => Duration.FromMilliseconds(900);

    private volatile Body? _last;

    public Body Get(int seconds, Func<byte[]> make)
    {
        var now = Timestamp.Now();
        if (_last is { } last && last.Seconds == seconds && now - last.At < KeptFor)
        {
            return last;
        }

        // Two callers at the same moment both build a report. That's rare, and cheaper than a lock on a pool thread.
        return _last = new Body(seconds, now, make());
    }

    public void Forget() => _last = null;

    /// <param name="seconds">How many seconds of history it holds.</param>
    /// <param name="at">When it was requested.</param>
    /// <param name="json">The report as UTF-8.</param>
    internal sealed class Body(int seconds, Timestamp at, byte[] json)
    {
        // In bytes; a smaller report is sent uncompressed.
        private const int LeastCompressed = 32 << 10;

        private byte[]? _gzip;

        public int Seconds => seconds;

        public Timestamp At => at;

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
}
