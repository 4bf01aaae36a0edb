using AsyncProbe.Blocking.Methods;

namespace AsyncProbe.Blocking.Places;

/// <summary>
/// A wait directly beneath a library's method. It may be that of application code which the library called, and which optimised code
/// inlined into the library's method.
/// </summary>
/// <param name="Library">The library's method.</param>
/// <param name="Wait">The core library's method beneath it.</param>
/// <param name="MayWaitItself">Whether the library's own code makes such a wait. If not, it must be the application's.</param>
internal sealed record InlinedCallback(FrameInfo Library, FrameInfo Wait, bool MayWaitItself);
