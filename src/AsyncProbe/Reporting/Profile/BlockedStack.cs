using AsyncProbe.Common;

namespace AsyncProbe.Reporting.Profile;

/// <summary>Blocked time under one stack.</summary>
/// <param name="Frames">Outermost first: the endpoint, the methods, and the kind of wait.</param>
/// <param name="Blocked">How long.</param>
internal sealed record BlockedStack(IReadOnlyList<ProfileFrame> Frames, Duration Blocked);

/// <summary>A frame as a profile viewer shows it.</summary>
/// <param name="Name">The type and method, or another label such as the endpoint.</param>
/// <param name="File">The path from the project's root; null if unknown.</param>
/// <param name="Line">Counted from 1; null if unknown.</param>
/// <param name="IsOwn">Whether this is the app's own code.</param>
internal readonly record struct ProfileFrame(string Name, string? File = null, int? Line = null, bool IsOwn = false);
