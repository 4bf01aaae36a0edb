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

    public static async Task<string> Result()
    {
        await Task.Yield();
        await Task.Delay(1); // not here
        return Number().Result; // waits: Result
    }

    public static string Vanished(IWriter anything)
    {
        anything.Write(); // waits: Vanished
        Task.Delay(5).Wait();
        return "waited";
    }

    private static async Task<string> Number()
    {
        await Task.Delay(5);
        return "waited";
    }

    private static void Prepare() => GC.KeepAlive(string.Empty);

    public interface IWriter
    {
        void Write();
    }
}
