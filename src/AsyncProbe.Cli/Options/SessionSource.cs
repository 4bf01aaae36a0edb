using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Sessions;
using AsyncProbe.Cli.Sessions.Import;

namespace AsyncProbe.Cli.Options;

/// <summary>Suggests what a name that is neither a file nor a URL was probably meant to be.</summary>
internal static class SessionSource
{
    public static void Check(string source)
    {
        if (SessionFile.IsUrl(source) || Importer.IsCommand(source) || File.Exists(source) || Directory.Exists(source))
        {
            return;
        }

        if (Suggestion.Url(source) is { } url)
        {
            throw new CommandException(ExitCode.Usage, $"{source} is neither a file nor a URL. If the server is meant, write {url}.");
        }

        if (Near(source) is { } file)
        {
            throw new CommandException(ExitCode.Usage, $"There is no file {source}. Did you mean {file}?");
        }
    }

    /// <summary>A session in the same folder with a similar name.</summary>
    private static string? Near(string source)
    {
        try
        {
            var folder = Path.GetDirectoryName(source) is { Length: > 0 } parent ? parent : ".";
            var names = Directory.EnumerateFiles(folder, "*.websurge").Take(1000).Select(file => Path.GetFileName(file)).ToList();
            var typed = Path.GetFileName(source);
            var near = names.Find(name => name.Equals(typed + ".websurge", StringComparison.OrdinalIgnoreCase))
                ?? Suggestion.Nearest(typed, names);
            return near is null ? null : folder == "." ? near : Path.Combine(folder, near);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return null;
        }
    }
}
