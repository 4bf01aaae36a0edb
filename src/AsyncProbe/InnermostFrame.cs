namespace AsyncProbe;

/// <summary>What is known about the innermost frame of a <see cref="StackSample"/>.</summary>
internal enum InnermostFrame
{
    /// <summary>The first of the sample's frames.</summary>
    Method,

    /// <summary>Code that the runtime generated to call native code; it belongs to no method.</summary>
    NativeCall,

    /// <summary>Left out, so it's unknown what the thread was doing.</summary>
    Unknown,
}
