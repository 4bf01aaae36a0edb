namespace AsyncProbe;

/// <summary>What is known about the innermost frame of a <see cref="StackSample"/>.</summary>
internal enum InnermostFrame
{
    /// <summary>It is the first of the sample's frames.</summary>
    Method,

    /// <summary>It is code that the runtime made for a call of native code, and belongs to no method.</summary>
    NativeCall,

    /// <summary>It is left out, so what the thread did is unknown.</summary>
    Unknown,
}
