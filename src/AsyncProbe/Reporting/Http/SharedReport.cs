using System.IO.Compression;
using AsyncProbe.Common;

namespace AsyncProbe.Reporting.Http;

/// <summary>
/// The report that open pages get: each asks once a second, and one body a second is made for all of them, so that twenty cost little more
/// than one. Nobody gets the same twice, and no figure is older than the second that it speaks of.
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

        // Two that ask at once both make one; that is rare, and cheaper than a lock on a pool thread.
        return _last = new Body(seconds, now, make());
    }

    public void Forget() => _last = null;

    /// <param name="seconds">How much history it holds.</param>
    /// <param name="at">When it was asked for.</param>
    /// <param name="json">The report as UTF-8.</param>
    internal sealed class Body(int seconds, Timestamp at, byte[] json)
    {
        // A small report is sent as it is.
        private const int LeastCompressed = 32 << 10;

        private byte[]? _gzip;

        public int Seconds => seconds;

        public Timestamp At => at;

        public byte[] Json => json;

        /// <summary>
        /// The same, compressed when first asked for: sending most of a megabyte to twenty pages costs more. Null for a small one.
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
