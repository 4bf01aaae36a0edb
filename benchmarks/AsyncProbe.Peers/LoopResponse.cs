using Microsoft.AspNetCore.Http.Features;

namespace AsyncProbe.Peers;

/// <summary>Calls back like a server: the last registered first, all in one method.</summary>
internal sealed class LoopResponse : HttpResponseFeature
{
    private readonly Stack<KeyValuePair<Func<object, Task>, object>> _starting = [];
    private readonly Stack<KeyValuePair<Func<object, Task>, object>> _completed = [];
    private bool _hasStarted;

    public override bool HasStarted => _hasStarted;

    public override void OnStarting(Func<object, Task> callback, object state) => _starting.Push(new(callback, state));

    public override void OnCompleted(Func<object, Task> callback, object state) => _completed.Push(new(callback, state));

    public void Reset()
    {
        StatusCode = StatusCodes.Status200OK;
        Headers.Clear();
        _hasStarted = false;
    }

    public async Task StartAsync()
    {
        while (_starting.TryPop(out var entry))
        {
            await entry.Key(entry.Value);
        }

        _hasStarted = true;
    }

    public async Task CompleteAsync()
    {
        while (_completed.TryPop(out var entry))
        {
            await entry.Key(entry.Value);
        }
    }
}
