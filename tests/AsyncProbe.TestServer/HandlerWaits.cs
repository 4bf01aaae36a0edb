using System.Runtime.CompilerServices;

namespace AsyncProbe.TestServer;

/// <summary>Waits in catch and finally blocks, for which the runtime reports a different place.</summary>
public static class HandlerWaits
{
    private static Func<Task> s_pause = () => Task.Delay(20);

    /// <summary>Sets what the handlers wait for. A test ends a wait once it has seen it, however slow the machine is.</summary>
    public static void PauseFor(Func<Task> pause) => s_pause = pause;

    public static void Finally()
    {
        Prepare(throws: false);
        try
        {
            Prepare(throws: false);
        }
        finally
        {
            Pause().Wait(); // waits: Finally
        }
    }

    public static void FinallyAfterAWait()
    {
        Prepare(throws: false);
        try
        {
            Thread.Yield();
            Pause().Wait(); // waits before: FinallyAfterAWait
        }
        finally
        {
            Prepare(throws: false);
            Pause().Wait(); // waits: FinallyAfterAWait
        }
    }

    public static void NestedFinally()
    {
        Prepare(throws: false);
        try
        {
            Prepare(throws: false);
        }
        finally
        {
            try
            {
                Prepare(throws: false);
            }
            finally
            {
                Pause().Wait(); // waits: NestedFinally
            }
        }
    }

    public static void Catch()
    {
        try
        {
            Prepare(throws: true);
        }
        catch (InvalidOperationException)
        {
            Prepare(throws: false);
            Pause().Wait(); // waits: Catch
        }
    }

    public static void CatchAfterAVirtualCall(Stream missing)
    {
        try
        {
            missing.ReadByte();
        }
        catch (ObjectDisposedException)
        {
            Pause().Wait(); // waits: CatchAfterAVirtualCall
        }
    }

    public static void FinallyWhileItThrows()
    {
        try
        {
            Prepare(throws: true);
        }
        finally
        {
            Pause().Wait(); // waits: FinallyWhileItThrows
        }
    }

    public static void Using(Func<IEnumerator<int>> make)
    {
        Prepare(throws: false);
        using var waiting = make(); // waits: Using
        Prepare(throws: false);
    }

    public static void UsingFirst(Func<IEnumerator<int>> make)
    {
        using var waiting = make(); // waits: UsingFirst
        Prepare(throws: false);
    }

    public static void UsingBlock(Func<IEnumerator<int>> make)
    {
        Prepare(throws: false);
        using (make()) // waits: UsingBlock
        {
            Prepare(throws: false);
        }
    }

    public static void Foreach(Func<IEnumerator<int>> make)
    {
        Prepare(throws: false);
        foreach (var number in new Numbers(make)) // waits: Foreach
        {
            Prepare(throws: number == 0);
        }
    }

    public static async Task Async()
    {
        await Task.Yield();
        try
        {
            Prepare(throws: false);
        }
        finally
        {
            Pause().Wait(); // waits: Async
        }
    }

    public static async Task UsingAsync(Func<IEnumerator<int>> make)
    {
        await Task.Yield();
        using var waiting = make(); // waits: UsingAsync
        await Task.Yield();
    }

    public static async Task Unguarded()
    {
        await Task.Yield();
        Pause().Wait();
    }

    /// <summary>It can't be known which of the two blocks: both make the call, and the first one's place is reported either way.</summary>
    public static void TryAndCatch()
    {
        try
        {
            Task.FromException(new InvalidOperationException()).Wait();
        }
        catch (AggregateException)
        {
            Pause().Wait();
        }
    }

    /// <summary>It can't be known which blocks in optimised code: while the task is on the stack, the runtime reports the start.</summary>
    public static void FirstAndFinally()
    {
        var first = Pause();
        first.Wait(); // waits before: FirstAndFinally
        try
        {
            Prepare(throws: false);
        }
        finally
        {
            Pause().Wait(); // waits: FirstAndFinally
        }
    }

    public static void TryAndCatchInAnotherWay()
    {
        try
        {
            Task.FromException(new InvalidOperationException()).GetAwaiter().GetResult();
        }
        catch (InvalidOperationException)
        {
            Pause().Wait(); // waits: TryAndCatchInAnotherWay
        }
    }

    // Not inlined, like the runtime's own methods.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Task Pause() => s_pause();

    private readonly struct Numbers(Func<IEnumerator<int>> make)
    {
        public IEnumerator<int> GetEnumerator() => make();
    }

    private static void Prepare(bool throws)
    {
        if (throws)
        {
            throw new InvalidOperationException();
        }
    }
}
