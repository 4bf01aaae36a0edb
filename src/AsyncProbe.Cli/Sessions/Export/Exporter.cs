namespace AsyncProbe.Cli.Sessions.Export;

/// <summary>Writes a session for other engines.</summary>
internal static class Exporter
{
    /// <summary>The formats, for use in a sentence.</summary>
    public const string Names = ".jmx (JMeter), .py (Locust), .http or .har";

    /// <param name="plan">The session.</param>
    /// <param name="file">Its extension determines the format.</param>
    /// <exception cref="SessionException">No format has this extension.</exception>
    public static ExportedFile Write(ExportPlan plan, string file) => Path.GetExtension(file).ToLowerInvariant() switch
    {
        ".jmx" => JmxWriter.Write(plan),
        ".py" => LocustWriter.Write(plan),
        ".http" or ".rest" => HttpFileWriter.Write(plan),
        ".har" => HarWriter.Write(plan),
        _ => throw new SessionException($"{SafeText.From(file)} has an unknown extension: end its name with {Names}."),
    };
}
