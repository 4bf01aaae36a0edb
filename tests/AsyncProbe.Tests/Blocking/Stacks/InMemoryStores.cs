#pragma warning disable SA1403, SA1649, IDE0130, CA1050
/// <summary>A type without a namespace.</summary>
public sealed class NoNamespace;

namespace Microsoft.EntityFrameworkCore.InMemory.Storage
{
    /// <summary>Named as a type of EF Core's in-memory provider is, which these tests do without.</summary>
    public sealed class Store;
}

namespace Microsoft.EntityFrameworkCore.InMemoryOthers
{
    /// <summary>Only begins like it.</summary>
    public sealed class Store;
}
