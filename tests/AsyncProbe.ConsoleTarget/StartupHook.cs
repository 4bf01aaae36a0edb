/// <summary>Another tool's startup hook. The runtime's convention sets the name of this type and the lack of a namespace.</summary>
internal static class StartupHook
{
    public static void Initialize() => Environment.SetEnvironmentVariable("OTHER_HOOK", "ran");
}
