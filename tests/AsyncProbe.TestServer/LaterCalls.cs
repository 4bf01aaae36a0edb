namespace AsyncProbe.TestServer;

/// <summary>Waits that the runtime reports at the previous statement.</summary>
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

    public static string EnterScopeFirst()
    {
        lock (s_gate) // waits: EnterScopeFirst
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
        anything.Write();
        Task.Delay(5).Wait();
        return "waited";
    }

    public static string Earlier()
    {
        var signal = new AutoResetEvent(false);
        signal.WaitOne(5); // waits: Earlier
        Prepare();
        return "waited";
    }

    public static string AfterATimer()
    {
        using var ready = new ManualResetEventSlim();
        using var timer = new Timer(_ => ready.Set(), null, 5, Timeout.Infinite);
        ready.Wait(); // waits: AfterATimer
        return "waited";
    }

    public static string TwiceAfterATimer()
    {
        using var ready = new ManualResetEventSlim();
        using var timer = new Timer(_ => ready.Set(), null, 5, Timeout.Infinite);
        ready.Wait();
        ready.Wait();
        return "waited";
    }

    public static string AfterAWaitOfItsKind()
    {
        Open();
        Task.Delay(5).Wait(); // waits: AfterAWaitOfItsKind
        return "waited";
    }

    public static string InWhatItCalls(IAsyncDisposable anything)
    {
        Waits(anything); // waits: InWhatItCalls
        Task.Delay(5).Wait();
        return "waited";
    }

    public static string Starts()
    {
        using (var tool = System.Diagnostics.Process.Start("sleep", "0.01"))
        {
            tool.WaitForExit(); // waits: Starts
        }

        return "waited";
    }

    public static string InADelegate(Action anything)
    {
        anything();
        Task.Delay(5).Wait();
        return "waited";
    }

    public static string Overridden(Stream stream)
    {
        Look();
        stream.ReadByte(); // waits: Overridden
        return "waited";
    }

    public static string Again(Stream stream)
    {
        Look();
        stream.ReadByte(); // waits: Again, the first time
        Look();
        stream.ReadByte(); // waits: Again, the second time
        return "waited";
    }

    public static string InTwoBranches(HttpContext context, TextWriter writer)
    {
        var id = context.Items["id"];
        if (id is null)
        {
            writer.WriteLine("none");
            return "none";
        }

        writer.WriteLine("one");
        return "one";
    }

    public static string InOneBranch(HttpContext context, TextWriter writer)
    {
        var id = context.Items["id"];
        if (id is null)
        {
            writer.WriteLine("none"); // waits: InOneBranch
        }

        return "one";
    }

    public static string UsingBlock()
    {
        using (var file = new FileStream("/dev/null", FileMode.Open)) // waits: UsingBlock
        {
            GC.KeepAlive(file);
        }

        return "written";
    }

    public static string UsingDeclaration()
    {
        using var file = new FileStream("/dev/null", FileMode.Open); // waits: UsingDeclaration
        GC.KeepAlive(file);
        return "written";
    }

    public static IEnumerable<int> Iterator()
    {
        try
        {
            yield return 1;
        }
        finally
        {
            Prepare();
        }
    }

    private static void Look()
    {
        using var file = File.OpenHandle("/dev/null");
        RandomAccess.Read(file, new byte[1], 0);
    }

    private static void Open() => Number().GetAwaiter().GetResult();

    private static void Waits(IAsyncDisposable anything) => anything.DisposeAsync().AsTask().Wait();

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
