using AsyncProbe.Tests.Blocking;

namespace AsyncProbe.Tests.Requests;

/// <summary>Scoped services, by what their disposal does.</summary>
internal static class Disposed
{
    public const int SlowMs = 100;

    public sealed class Quick : IDisposable
    {
        public void Dispose()
        {
        }
    }

    public sealed class Sometimes : IDisposable
    {
        public bool IsSlow { get; set; }

        public void Dispose() => Thread.Sleep(IsSlow ? SlowMs : 0);
    }

    public sealed class Slow : IDisposable
    {
        public void Dispose() => Waiting.ForTask(SlowMs);
    }

    public sealed class SlowAsync : IAsyncDisposable
    {
        public async ValueTask DisposeAsync()
        {
            await Task.Yield();
            Waiting.ForTask(SlowMs);
        }
    }
}
