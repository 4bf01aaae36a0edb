namespace AsyncProbe.Blocking.Stacks;

/// <summary>A wait of application code that a library called, and that optimised code inlined into the library's method.</summary>
/// <param name="Library">The library's method, which doesn't wait itself.</param>
/// <param name="Wait">The core library's method beneath it.</param>
internal sealed record InlinedCallback(FrameInfo Library, FrameInfo Wait);
