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
    // Returned without memory for a scope. It changes nothing: if an outer scope allows waits, so does this one.
    private static readonly BlockingScope s_none = new();

    private WaitPermission? _permission;

    private BlockingScope()
    {
    }

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
    public void Dispose()
    {
        try
        {
            _permission?.End();
        }
        catch (OutOfMemoryException)
        {
            // The code after the scope comes first, even if its waits are still allowed.
            Faults.NoteQuietly();
        }
    }

    private static BlockingScope Begin(string? reason)
    {
        try
        {
            // Allocate the scope first, so that nothing can fail once the permission is open.
            BlockingScope scope = new();
            scope._permission = WaitPermission.Begin(reason);
            return scope;
        }
        catch (OutOfMemoryException)
        {
            // The code in the scope comes first.
            Faults.NoteQuietly();
            return s_none;
        }
    }
}
