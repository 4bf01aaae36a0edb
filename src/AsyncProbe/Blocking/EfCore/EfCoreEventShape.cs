using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using AsyncProbe.Blocking.Alternatives;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Common;
using AsyncProbe.Rules;

namespace AsyncProbe.Blocking.EfCore;

/// <summary>The properties of one type of EF Core's events.</summary>
[UnconditionalSuppressMessage("Trimming", "IL2070",
    Justification = "EF Core fills them itself; trimmed away, the provider is not named and the log counts with the command.")]
[FrameOwner(FrameOwner.Hook)]
internal sealed class EfCoreEventShape(Type type)
{
    // The command or the transaction. Its type belongs to the provider.
    private readonly PropertyInfo? _command = type.GetProperty("Command") ?? type.GetProperty("Transaction");

    private readonly PropertyInfo? _took = type.GetProperty("Duration");

    /// <summary>How long the command or transaction took, by EF Core's clock; null if the event doesn't say.</summary>
    public Duration? TookOf(object payload) => _took?.GetValue(payload) is TimeSpan took ? Duration.From(took) : null;

    /// <summary>The provider, if it is synchronous inside; null otherwise.</summary>
    public SynchronousProvider? ProviderOf(object payload) =>
        _command?.GetValue(payload) is { } part ? SynchronousProviders.Find(part.GetType()) : null;
}
