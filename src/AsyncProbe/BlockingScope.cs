using AsyncProbe.Common;
using AsyncProbe.Requests;

namespace AsyncProbe;

/// <summary>
/// Accepts the waits in a block of code: <c>using (BlockingScope.Allow("reason")) { … }</c>. The scope flows with awaits. Scopes nest, and
/// the innermost one decides.
/// </summary>
/// <example>
/// <code>
/// using AsyncProbe;
///
/// var app = WebApplication.Create(args);
/// app.MapGet("/countries", () =&gt;
/// {
///     using (BlockingScope.Allow("read once, at the first request"))
///     {
///         return File.ReadAllLines("countries.txt");
///     }
/// });
/// </code>
/// </example>
public sealed class BlockingScope : IDisposable
{
    // Returned when a scope can't be allocated. It changes nothing.
    private static readonly BlockingScope s_none = new(null);

    private readonly WaitPermission? _permission;

    private BlockingScope(WaitPermission? permission) => _permission = permission;

    /// <summary>Counts waits under the reason, without a warning, until you dispose the scope.</summary>
    /// <param name="reason">Why blocking is right here; shown in the report.</param>
    /// <returns>The scope; dispose it at the end of the code that may block.</returns>
    /// <exception cref="ArgumentException"><paramref name="reason"/> is null, empty or white space.</exception>
    public static BlockingScope Allow(string reason)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(reason);
        return Begin(reason);
    }

    /// <summary>
    /// Reports waits again inside an <see cref="Allow"/> or an <see cref="AllowBlockingAttribute"/>, until you dispose the scope. Rules of
    /// <see cref="AsyncProbeOptions.Allow"/> still apply.
    /// </summary>
    /// <returns>The scope; dispose it at the end of the code that must not block.</returns>
    public static BlockingScope Disallow() => Begin(null);

    /// <summary>Ends the scope, so that the outer one applies again.</summary>
    public void Dispose() => _permission?.End();

    private static BlockingScope Begin(string? reason)
    {
        WaitPermission? permission = null;
        try
        {
            permission = WaitPermission.Begin(reason);
            return new BlockingScope(permission);
        }
        catch (OutOfMemoryException)
        {
            // The code in the scope comes first; its waits are reported as if there were none.
            Faults.NoteQuietly();
            permission?.End();
            return s_none;
        }
    }
}
