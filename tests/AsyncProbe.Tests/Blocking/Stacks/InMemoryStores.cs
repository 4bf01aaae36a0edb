#pragma warning disable SA1403, SA1649, IDE0130, CA1050
/// <summary>A type without a namespace.</summary>
public sealed class NoNamespace;

/// <summary>A command of a provider without a namespace.</summary>
internal sealed class CommandWithoutNamespace : AsyncProbe.Tests.Blocking.Alternatives.SynchronousCommand;

namespace Microsoft.EntityFrameworkCore.InMemory.Storage
{
    /// <summary>Has the name of a type in EF Core's in-memory provider, which these tests don't reference.</summary>
    public sealed class Store;
}

namespace Microsoft.EntityFrameworkCore.InMemoryOthers
{
    /// <summary>Has a namespace that only begins like the provider's.</summary>
    public sealed class Store;
}
