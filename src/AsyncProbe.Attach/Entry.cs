namespace AsyncProbe.Attach;

/// <summary>The hook calls this on a dedicated thread each time a tool attaches.</summary>
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
                // The second tool uses the socket that the first one opened.
                return;
            }

            attachment = s_current = new Attachment(options);
        }

        attachment.Run();
    }
}
