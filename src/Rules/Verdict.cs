namespace AsyncProbe.Rules;

/// <summary>What an endpoint needs.</summary>
internal enum Verdict
{
    NotEnoughData,
    AsyncWillHelp,
    CpuBound,
    LockContention,
    ProviderIsSynchronous,
    AlreadyAsync,
    Fine,
}
