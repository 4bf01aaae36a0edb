namespace AsyncProbe.Blocking;

/// <summary>
/// A place in a method. File and line are looked up on demand, by those who read and never by the thread that waited: the first look
/// into an assembly's symbols takes milliseconds.
/// </summary>
internal sealed class SiteFrame(FrameInfo frame, int ilOffset, FrameInfo? call = null)
{
    /// <summary>The offset of a place that only its method is known of.</summary>
    public const int Unknown = -1;

    private SourceLine? _line;
    private bool _isResolved;

    public FrameInfo Frame { get; } = frame;

    public SourceLine? Line
    {
        get
        {
            // Two readers at once find the same.
            if (!Volatile.Read(ref _isResolved))
            {
                _line = SourceLines.Find(Frame.Method, IlOffset);
                Volatile.Write(ref _isResolved, true);
            }

            return _line;
        }
    }

    public WaitKind Refine(WaitKind kind) => CallSiteIl.Refine(kind, Frame.Method, IlOffset);

    // Without the one call that it can be, the line where the method begins.
    private int IlOffset => call is null ? ilOffset : CallSiteIl.Find(Frame.Method, call) ?? 0;

    /// <summary>Kept: a report of a large app asks for thousands of them.</summary>
    public string Text => field ??= Line is { } line ? $"{Frame.ShortName} ({line.FileName}:{line.Line})" : Frame.ShortName;
}
