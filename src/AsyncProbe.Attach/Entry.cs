namespace AsyncProbe.Attach;

/// <summary>What the hook calls, on a thread of its own, each time a tool attaches.</summary>
internal static class Entry
{
    private static readonly Lock s_lock = new();
    private static Attachment? s_current;

    /// <param name="folder">The tool's private folder.</param>
    public static void Attach(string folder)
    {
        var options = AttachOptions.Read(folder);
        Attachment attachment;
        lock (s_lock)
        {
            if (s_current is { HasEnded: false })
            {
                // The tool that comes second finds the socket of the first.
                return;
            }

            attachment = s_current = new Attachment(options);
        }

        attachment.Run();
    }
}
