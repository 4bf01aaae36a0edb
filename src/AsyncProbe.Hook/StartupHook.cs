using AsyncProbe.Hook;

/// <summary>
/// The runtime calls <see cref="Initialize"/> before <c>Main</c> when the process was started with the hook. When a tool attaches, it calls
/// the method on the diagnostics server's thread, once for each tool. Until that call returns, the process doesn't answer other diagnostics
/// commands. The runtime's convention sets the name of this type and the lack of a namespace.
/// </summary>
internal static class StartupHook
{
    private const int LookEveryMs = 10;
    private const int MostLooks = 500;

    public static void Initialize()
    {
        try
        {
            ToolFolder.Here.ConfirmCall();
            if (!ToolFolder.IsWebApplication)
            {
                // One of its child processes may be the application, so the variable that names this hook stays.
                ToolFolder.Here.Explain("not ASP.NET Core");
                return;
            }

            var wasStarted = OwnEntry.Remove();
            var load = new Thread(Load) { IsBackground = true, Name = "AsyncProbe attach" };
            load.UnsafeStart();
            if (wasStarted)
            {
                AwaitProbe(load);
            }
        }
        catch (Exception e)
        {
            Explain(e);
        }
    }

    // Main begins only then, so that even the application's first request is measured.
    private static void AwaitProbe(Thread load)
    {
        for (var looks = 0; looks < MostLooks && load.IsAlive && !ToolFolder.Here.HasProbe; looks++)
        {
            Thread.Sleep(LookEveryMs);
        }
    }

    private static void Load()
    {
        try
        {
            ToolVersions.Attach(ToolFolder.Here);
        }
        catch (Exception e)
        {
            Explain(e);
        }
    }

    // Even this allocates and opens a file. If it fails, the tool only says that no probe answers.
    private static void Explain(Exception exception)
    {
        try
        {
            ToolFolder.Here.Explain(exception.ToString());
        }
        catch (Exception)
        {
            // An exception here would end the process.
        }
    }
}
