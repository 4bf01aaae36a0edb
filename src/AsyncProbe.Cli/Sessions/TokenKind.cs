namespace AsyncProbe.Cli.Sessions;

internal enum TokenKind
{
    /// <summary>Copies a property of the JSON response to the user's store.</summary>
    CaptureJson,

    /// <summary>Sends a captured value as this request's bearer token.</summary>
    InjectBearer,

    /// <summary>Replaces a property in this request's JSON body with a captured value.</summary>
    InjectJson,

    /// <summary>Uses a property of the JSON response as the bearer token of all later requests of all users.</summary>
    CaptureAuthorization,
}
