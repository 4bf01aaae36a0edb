namespace AsyncProbe.TestServer;

/// <summary>Waits behind statements whose value the optimised code keeps on the stack, or which have no place of their own in the symbols.</summary>
public static class LaterCalls
{
    private static readonly Lock s_gate = new();

    public static string Join()
    {
        var thread = Create();
        thread.Join(); // waits: Join
        return "joined";
    }

    public static string WaitOne()
    {
        var signal = new AutoResetEvent(false);
        Prepare();
        signal.WaitOne(5); // waits: WaitOne
        return "waited";
    }

    public static string EnterScope()
    {
        Prepare();
        lock (s_gate) // waits: EnterScope
        {
            Prepare();
        }

        return "locked";
    }

    public static string Vanished()
    {
        Prepare(); // waits: Vanished
        Task.Delay(5).Wait();
        return "waited";
    }

    private static Thread Create() => new(Prepare);

    private static void Prepare() => GC.KeepAlive(string.Empty);
}
