namespace AsyncProbe.Cli.Sessions.Import;

/// <summary>What a file holds.</summary>
internal enum ImportFormat
{
    /// <summary>Nothing that is imported.</summary>
    None,

    Http,
    Postman,
    Har,
    Curl,
    OpenApi,
}
