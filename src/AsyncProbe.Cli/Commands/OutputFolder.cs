namespace AsyncProbe.Cli.Commands;

/// <summary>Refuses files that cannot be written, before any load is run for them.</summary>
internal static class OutputFolder
{
    public static void Check(string file)
    {
        var folder = Path.GetDirectoryName(Path.GetFullPath(file));
        if (!Directory.Exists(folder))
        {
            throw new CommandException(ExitCode.Usage, $"{file} cannot be written: there is no folder {folder}.");
        }
    }
}
