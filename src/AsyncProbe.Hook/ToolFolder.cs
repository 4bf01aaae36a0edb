namespace AsyncProbe.Hook;

/// <summary>
/// The private folder that the tool made, and from which the runtime loaded this assembly. The tool leaves there what is to be loaded, and
/// reads there why that failed.
/// </summary>
internal sealed class ToolFolder(string path)
{
    private const string WebAssembly = "Microsoft.AspNetCore.Hosting";

    public static ToolFolder Here { get; } = new(System.IO.Path.GetDirectoryName(typeof(ToolFolder).Assembly.Location)!);

    /// <summary>Whether ASP.NET Core's framework is part of this process.</summary>
    public static bool IsWebApplication =>
        AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES") is string list && list.Contains(WebAssembly + ".dll", StringComparison.Ordinal)
        || Array.Exists(AppDomain.CurrentDomain.GetAssemblies(), assembly => assembly.GetName().Name == WebAssembly);

    public string Path => path;

    /// <summary>The folder of the tool's own version, which the tool wrote last.</summary>
    public string Version => System.IO.Path.Combine(path, File.ReadAllLines(System.IO.Path.Combine(path, "attach"))[0]);

    /// <summary>Shows the tool that the runtime called the hook. The runtime also reports success where startup hooks are off.</summary>
    public void ConfirmCall() => Leave("called", "");

    /// <summary>Tells the tool why nothing was loaded.</summary>
    public void Explain(string why) => Leave("failed", why);

    private void Leave(string kind, string text)
    {
        try
        {
            var file = System.IO.Path.Combine(path, $"{Environment.ProcessId}.{kind}");
            File.WriteAllText(file + ".part", text);
            File.Move(file + ".part", file, overwrite: true);
        }
        catch (Exception)
        {
            // The tool gives up when it sees no sign of life.
        }
    }
}
