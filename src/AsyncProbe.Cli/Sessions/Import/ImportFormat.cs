namespace AsyncProbe.Cli.Sessions.Import;

/// <summary>The format of a file.</summary>
internal enum ImportFormat
{
    /// <summary>Not a format that can be imported.</summary>
    None,

    Http,
    Postman,
    Har,
    Curl,
    OpenApi,
}
