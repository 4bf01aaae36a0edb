using System.Net;

namespace AsyncProbe.Tests.Blocking.Catalogue;

/// <summary>A body of one byte that is sent some time after the headers.</summary>
internal sealed class SlowContent(Func<Task> after) : HttpContent
{
    protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context)
    {
        await stream.FlushAsync();
        await after();
        await stream.WriteAsync(new byte[1]);
    }

    protected override bool TryComputeLength(out long length)
    {
        length = 0;
        return false;
    }
}
