namespace AsyncProbe.Tests.Shared;

/// <summary>Programs that some tests need beyond the SDK.</summary>
internal static class Programs
{
    /// <summary>The folder with the program: on the path, or in the newest version below a folder of versions.</summary>
    public static string? FindFolder(string program, string? versions = null)
    {
        var path = (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator);
        var below = versions is not null && Directory.Exists(versions)
            ? Directory.GetDirectories(versions).OrderByDescending(folder => folder).Select(folder => Path.Combine(folder, "bin"))
            : [];
        return path.Concat(below).FirstOrDefault(folder => folder.Length > 0 && File.Exists(Path.Combine(folder, program)));
    }

    /// <summary>Prints what is missing; in CI that is a failure.</summary>
    public static void Missing(string programs, string product, string package)
    {
        var sentence = $"This test needs {programs} of {product}, and they are not installed. Install the package '{package}'.";
        if (Environment.GetEnvironmentVariable("CI") == "true")
        {
            Assert.Fail(sentence);
        }

        Console.WriteLine("Not run: " + sentence);
    }
}
