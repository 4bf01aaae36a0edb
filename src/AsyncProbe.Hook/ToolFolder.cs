using System.Diagnostics;
using System.Reflection;

namespace AsyncProbe.Hook;

/// <summary>
/// The private folder that the tool created, from which the runtime loaded this assembly. The tool puts the assemblies to load there, and
/// reads from there why loading failed.
/// </summary>
internal sealed class ToolFolder(string path)
{
    private const string WebAssembly = "Microsoft.AspNetCore.Hosting";

    public static ToolFolder Here { get; } = new(System.IO.Path.GetDirectoryName(typeof(ToolFolder).Assembly.Location)!);

    /// <summary>
    /// Whether the process includes the ASP.NET Core framework. A single-file application lists nothing, and a worker in one may not have
    /// loaded any of it yet.
    /// </summary>
    public static bool IsWebApplication =>
        AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES") is string list && list.Contains(WebAssembly + ".dll", StringComparison.Ordinal)
        || (IsSingleFile && CanLoad(WebAssembly));

    public string Path => path;

    /// <summary>Whether this process's probe listens.</summary>
    public bool HasProbe => File.Exists(System.IO.Path.Combine(path, $"{Environment.ProcessId}.sock"));

    /// <summary>
    /// The folder of the tool's version; if several tools attached, of the last one. Null while no tool has staged everything: the file
    /// <c>attach</c> comes last.
    /// </summary>
    public string? Version
    {
        get
        {
            try
            {
                return System.IO.Path.Combine(path, File.ReadAllLines(System.IO.Path.Combine(path, "attach"))[0]);
            }
            catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
            {
                return null;
            }
        }
    }

    /// <summary>
    /// Shows the tool that the runtime called the hook. The runtime reports success even when startup hooks are disabled.
    /// </summary>
    public void ConfirmCall() => Leave("called", "");

    /// <summary>Leaves a message for the tool that says why nothing was loaded.</summary>
    public void Explain(string why) => Leave("failed", why);

    private static bool IsSingleFile => typeof(object).Assembly.Location.Length == 0;

    private static bool CanLoad(string name)
    {
        try
        {
            Assembly.Load(name);
            return true;
        }
        catch (IOException)
        {
            return false;
        }
    }

    // The time tells the tool which of its files are new.
    private void Leave(string kind, string text)
    {
        try
        {
            var file = System.IO.Path.Combine(path, $"{Environment.ProcessId}.{kind}");
            File.WriteAllText(file + ".part", $"{Stopwatch.GetTimestamp()}\n{text}");
            File.Move(file + ".part", file, overwrite: true);
        }
        catch (Exception)
        {
            // Without a sign of life, the tool gives up.
        }
    }
}
