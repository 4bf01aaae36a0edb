using AsyncProbe.Hook;

/// <summary>
/// The runtime calls <see cref="Initialize"/>: before <c>Main</c> when the process was started with the hook, or on the diagnostics
/// server's thread when a tool attaches, and again for each tool. While it runs there, the process answers no other diagnostics command.
/// The type's name and place are the runtime's convention.
/// </summary>
internal static class StartupHook
{
    public static void Initialize()
    {
        try
        {
            ToolFolder.Here.ConfirmCall();
            if (!ToolFolder.IsWebApplication)
            {
                // Its child processes may be the application, so the variable that names this hook stays.
                ToolFolder.Here.Explain("not ASP.NET Core");
                return;
            }

            OwnEntry.Remove();
            new Thread(Load) { IsBackground = true, Name = "AsyncProbe attach" }.UnsafeStart();
        }
        catch (Exception e)
        {
            ToolFolder.Here.Explain(e.ToString());
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
            ToolFolder.Here.Explain(e.ToString());
        }
    }
}
