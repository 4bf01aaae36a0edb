using System.Net.Sockets;

namespace AsyncProbe.Cli.Server;

/// <summary>Where to find the server's own report: at the target's <c>/_threadpool</c>, nowhere, or at a URL.</summary>
internal sealed record ProbeChoice(bool Off, Uri? Url)
{
    public const string DefaultPath = "/_threadpool";

    /// <summary>Opens the connection to the report of a probe that was attached; null to connect to the URL's host.</summary>
    public Func<Socket>? Connect { get; private init; }

    /// <summary>How to name the report to a person, if not by its URL.</summary>
    public string? Title { get; private init; }

    /// <summary>Whether nothing was typed about the report.</summary>
    public bool IsAuto => this is { Off: false, Url: null };

    public static ProbeChoice Auto { get; } = new(Off: false, Url: null);

    /// <summary>The report of a probe that was attached.</summary>
    public static ProbeChoice Attached(Func<Socket> connect, string title) =>
        new(Off: false, new Uri("http://localhost/")) { Connect = connect, Title = title };

    public Uri GetReportUrl(Uri target) => Url ?? new Uri(target, DefaultPath);

    public string? Describe(Uri target) => Off ? null : Title ?? GetReportUrl(target).ToString();
}
