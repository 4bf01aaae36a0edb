namespace AsyncProbe.Faults.Tests;

/// <summary>A place in the compiled packages that can fail.</summary>
/// <param name="Id">Its number in this build.</param>
/// <param name="Room">Its namespace.</param>
/// <param name="Method">The method.</param>
/// <param name="What">What can fail: "newobj List`1", "call File.ReadAllText".</param>
/// <param name="IsInStaticInitializer">Whether it runs once in the life of the process, before the type is used.</param>
/// <param name="Excluded">Why it cannot run in a host; null if it can.</param>
internal sealed record Place(int Id, string Room, string Method, string What, bool IsInStaticInitializer, string? Excluded)
{
    /// <summary>
    /// Static initializers run while the host starts, before the first request. One that fails makes its type unusable.
    /// </summary>
    public bool CanFail => !IsInStaticInitializer && Excluded is null;
}
