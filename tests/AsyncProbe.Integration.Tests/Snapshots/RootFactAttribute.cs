namespace AsyncProbe.Integration.Tests.Snapshots;

/// <summary>A test that drops privileges, so it needs them first.</summary>
internal sealed class RootFactAttribute : FactAttribute
{
    public RootFactAttribute()
    {
        if (!Environment.IsPrivilegedProcess)
        {
            Skip = "Runs as another user, which needs root.";
        }
    }
}
