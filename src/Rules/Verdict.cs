namespace AsyncProbe.Rules;

/// <summary>The outcome for an endpoint: what to change, if anything.</summary>
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
