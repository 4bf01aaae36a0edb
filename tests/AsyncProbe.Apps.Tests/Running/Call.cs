using System.Net;
using System.Text;

namespace AsyncProbe.Apps.Tests.Running;

/// <summary>A request as a client of the application sends it, and what is true of the endpoint that answers.</summary>
/// <param name="Method">GET, POST and so on.</param>
/// <param name="Path">The path.</param>
/// <param name="Endpoint">The row of the report that counts the request.</param>
internal sealed record Call(string Method, string Path, string Endpoint)
{
    public HttpStatusCode Status { get; init; } = HttpStatusCode.OK;

    public string? Json { get; init; }

    public (string Name, string Value)? Header { get; init; }

    /// <summary>False if the application's own answer differs each time, as with tokens and stack traces.</summary>
    public bool IsRepeatable { get; init; } = true;

    /// <summary>How often it is sent at each level of load, as a share of the usual number.</summary>
    public double Share { get; init; } = 1;

    /// <summary>
    /// Whether its truth holds only while other clients call it at the same time: the threads of a session meet there by chance.
    /// </summary>
    public bool NeedsOthers { get; init; }

    public HttpRequestMessage ToRequest()
    {
        var request = new HttpRequestMessage(new HttpMethod(Method), Path);
        if (Json is not null)
        {
            request.Content = new StringContent(Json, Encoding.UTF8, "application/json");
        }

        if (Header is { } header)
        {
            request.Headers.Add(header.Name, header.Value);
        }

        return request;
    }
}
