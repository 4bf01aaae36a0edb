namespace AsyncProbe.Hook;

/// <summary>This hook's entry in the variable that made the runtime load it.</summary>
internal static class OwnEntry
{
    private const string Variable = "DOTNET_STARTUP_HOOKS";

    /// <summary>
    /// Removes it, because child processes inherit the environment and only this application should be measured. Other tools' entries stay.
    /// </summary>
    public static void Remove()
    {
        if (Environment.GetEnvironmentVariable(Variable) is { } hooks)
        {
            var own = typeof(OwnEntry).Assembly.Location;
            var others = Array.FindAll(hooks.Split(Path.PathSeparator), hook => hook != own);
            Environment.SetEnvironmentVariable(Variable, others.Length == 0 ? null : string.Join(Path.PathSeparator, others));
        }
    }
}
