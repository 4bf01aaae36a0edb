namespace AsyncProbe.TestServer;

/// <summary>Waits that the runtime tells at the statement before.</summary>
public static class LaterCalls
{
    private static readonly Lock s_gate = new();

    public static string WaitOne()
    {
        var signal = new AutoResetEvent(false);
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
        Anything.Write(); // waits: Vanished
        Task.Delay(5).Wait();
        return "waited";
    }

    private static IWriter Anything => new Writer();

    private static void Prepare() => GC.KeepAlive(string.Empty);

    private interface IWriter
    {
        void Write();
    }

    private sealed class Writer : IWriter
    {
        public void Write() => Prepare();
    }
}
