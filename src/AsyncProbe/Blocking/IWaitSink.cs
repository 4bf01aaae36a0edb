using System.Diagnostics;

namespace AsyncProbe.Blocking;

/// <summary>Where <see cref="BlockingContext"/> tells of waits. Called on the blocking thread, which may hold the user's locks.</summary>
internal interface IWaitSink
{
    /// <summary>A wait that goes on.</summary>
    /// <returns>What <see cref="OnEnded"/> gets back when it has ended.</returns>
    object? OnLong(StackTrace stack);

    /// <param name="duration">How long it lasted, in nanoseconds.</param>
    /// <param name="stack">Where.</param>
    /// <param name="ofLong">What <see cref="OnLong"/> returned, if it was called.</param>
    void OnEnded(long duration, StackTrace stack, object? ofLong);
}
