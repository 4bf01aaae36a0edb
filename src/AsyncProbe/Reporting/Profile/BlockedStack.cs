using AsyncProbe.Common;

namespace AsyncProbe.Reporting.Profile;

/// <summary>Blocked time under one stack.</summary>
/// <param name="Frames">Outermost first: the endpoint, the methods, the kind of the wait.</param>
/// <param name="Blocked">How long.</param>
internal sealed record BlockedStack(IReadOnlyList<ProfileFrame> Frames, Duration Blocked);

/// <summary>A frame as a profile's viewer shows it.</summary>
/// <param name="Name">Type and method, or what stands for one.</param>
/// <param name="File">From the project's root; null when not known.</param>
/// <param name="Line">From 1; null when not known.</param>
/// <param name="IsOwn">Whether it is the application's own code.</param>
internal readonly record struct ProfileFrame(string Name, string? File = null, int? Line = null, bool IsOwn = false);
