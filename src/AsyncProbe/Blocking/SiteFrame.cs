namespace AsyncProbe.Blocking;

/// <summary>
/// A place in a method. File and line are looked up on demand, by those who read and never by the thread that waited: the first look
/// into an assembly's symbols takes milliseconds.
/// </summary>
internal sealed class SiteFrame(FrameInfo frame, int ilOffset)
{
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
                _line = SourceLines.Find(Frame.Method, ilOffset);
                Volatile.Write(ref _isResolved, true);
            }

            return _line;
        }
    }

    public WaitKind Refine(WaitKind kind) => CallSiteIl.Refine(kind, Frame.Method, ilOffset);

    /// <summary>Kept: a report of a large app asks for thousands of them.</summary>
    public string Text => field ??= Line is { } line ? $"{Frame.ShortName} ({line.FileName}:{line.Line})" : Frame.ShortName;
}
