namespace AsyncProbe.Faults.Tests;

/// <summary>A place in the compiled packages that can fail.</summary>
/// <param name="Id">Its number in this build.</param>
/// <param name="Room">Its namespace.</param>
/// <param name="Method">The method.</param>
/// <param name="What">What can fail: "newobj List`1", "call File.ReadAllText".</param>
/// <param name="IsInStaticInitializer">Whether it runs once in the life of the process, before the type is used.</param>
internal sealed record Place(int Id, string Room, string Method, string What, bool IsInStaticInitializer);
