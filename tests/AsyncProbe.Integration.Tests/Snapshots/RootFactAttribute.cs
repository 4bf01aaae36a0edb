namespace AsyncProbe.Integration.Tests.Snapshots;

/// <summary>A test that gives rights away, which only those who have them can.</summary>
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
