namespace AsyncProbe.Cli.Outcomes;

/// <summary>Rejects files that cannot be written, before running any load for them.</summary>
internal static class OutputFolder
{
    public static void Check(string file)
    {
        var folder = Path.GetDirectoryName(Path.GetFullPath(file));
        if (!Directory.Exists(folder))
        {
            throw new CommandException(ExitCode.Usage, $"{file} cannot be written: there is no folder {folder}.");
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
}
