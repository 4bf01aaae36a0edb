using System.Text;

namespace AsyncProbe.Cli.Outcomes;

/// <summary>A file that a user wants a result in.</summary>
internal static class OutputFile
{
    /// <summary>Rejects a file that cannot be written, before running any load for it.</summary>
    public static void Check(string file)
    {
        var folder = Path.GetDirectoryName(Path.GetFullPath(file));
        if (!Directory.Exists(folder))
        {
            throw new CommandException(ExitCode.Usage, $"{file} cannot be written: the folder {folder} doesn't exist.");
        }

        var isNew = !File.Exists(file);
        try
        {
            // Keep the existing content until there is a result.
            using (new FileStream(file, FileMode.OpenOrCreate, FileAccess.Write, FileShare.ReadWrite))
            {
            }

            if (isNew)
            {
                File.Delete(file);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            var reason = Directory.Exists(file) ? "it is a folder" : e.Message.TrimEnd('.');
            throw new CommandException(ExitCode.Usage, $"{file} cannot be written: {reason}.");
        }
    }

    /// <summary>Writes every file, also if another one fails.</summary>
    /// <param name="files">The files.</param>
    /// <param name="what">What they hold, for a sentence about the failure.</param>
    /// <param name="text">Makes the content of a file.</param>
    /// <exception cref="CommandException">At least one of them was not written.</exception>
    public static async Task WriteAllAsync(IEnumerable<string> files, string what, Func<string, Task<string>> text)
    {
        var failures = new List<CommandException>();
        foreach (var file in files)
        {
            try
            {
                await WriteAsync(file, what, await text(file));
            }
            catch (CommandException e)
            {
                failures.Add(e);
            }
        }

        if (failures.Count > 0)
        {
            throw new CommandException(failures[0].ExitCode, string.Join(Environment.NewLine, failures.Select(failure => failure.Message)));
        }
    }

    /// <param name="file">The file.</param>
    /// <param name="what">What it holds, for a sentence about the failure.</param>
    /// <param name="text">Its content.</param>
    /// <exception cref="CommandException">It could not be written.</exception>
    public static async Task WriteAsync(string file, string what, string text)
    {
        var content = Encoding.UTF8.GetBytes(text);
        var known = new FileInfo(file);
        try
        {
            // A link, pipe or device stays one.
            if ((known.Exists && (known.LinkTarget is not null || known.Length == 0)) || !await TryReplaceAsync(known, content))
            {
                await File.WriteAllBytesAsync(file, content);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new CommandException(ExitCode.Usage, $"The {what} could not be written: {e.Message}");
        }
    }

    /// <summary>
    /// Replaces the file in one step. The tool may be killed while it writes, or the disk may be full, and an earlier result is better than
    /// half of a new one.
    /// </summary>
    /// <returns>Whether it could: nothing new can be made in a read-only folder, and nothing can replace a file that is mounted.</returns>
    private static async Task<bool> TryReplaceAsync(FileInfo file, byte[] content)
    {
        var part = file.FullName + ".part";
        var options = new FileStreamOptions { Mode = FileMode.Create, Access = FileAccess.Write };
        if (file.Exists && !OperatingSystem.IsWindows())
        {
            // The file may hold secrets that only its owner may read.
            options.UnixCreateMode = file.UnixFileMode;
        }

        FileStream stream;
        try
        {
            stream = new FileStream(part, options);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return false;
        }

        try
        {
            await using (stream)
            {
                await stream.WriteAsync(content);
            }

            return TryMove(part, file.FullName);
        }
        finally
        {
            // It is gone already if it was moved.
            File.Delete(part);
        }
    }

    private static bool TryMove(string part, string file)
    {
        try
        {
            File.Move(part, file, overwrite: true);
            return true;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }
}
