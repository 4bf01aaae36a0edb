namespace AsyncProbe.Hook;

/// <summary>This hook's entry in the variable that made the runtime load it.</summary>
internal static class OwnEntry
{
    private const string Variable = "DOTNET_STARTUP_HOOKS";

    /// <summary>
    /// Removes it, because child processes inherit the environment and only this application should be measured. Other tools' entries stay.
    /// </summary>
    /// <returns>Whether there was one: the process was started with the hook.</returns>
    public static bool Remove()
    {
        var hooks = Environment.GetEnvironmentVariable(Variable)?.Split(Path.PathSeparator) ?? [];
        var others = Array.FindAll(hooks, hook => hook != typeof(OwnEntry).Assembly.Location);
        if (others.Length == hooks.Length)
        {
            return false;
        }

        Environment.SetEnvironmentVariable(Variable, others.Length == 0 ? null : string.Join(Path.PathSeparator, others));
        return true;
    }
}
