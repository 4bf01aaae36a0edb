using AsyncProbe.Cli.Joining;

namespace AsyncProbe.Cli.Tests.Sites;

/// <summary>Call sites for tests.</summary>
internal static class Known
{
    public static KnownSite Site(
        string method = "Orders.Load", string kind = "Task.Wait", string[]? endpoints = null, string? file = "Data/Orders.cs",
        int? line = 42) => new()
    {
        Kind = kind, Method = method, File = file, Line = line, Endpoints = endpoints ?? ["GET /orders"], Count = 4310, MeanMs = 212.4,
    };
}
