namespace AsyncProbe.Apps.Tests;

/// <summary>What is still said wrongly of the applications, and why. Everything else that is wrong fails the tests.</summary>
internal static class KnownAppUntruths
{
    private static readonly Known[] s_all =
    [
        new("Bookshop", "POST /Orders/Pay/{id?}", Aspect.Line,
            "The C# compiler gives a lock statement over a System.Threading.Lock no place in the symbols; in optimised code it still has "
                + "the line in front of it."),
    ];

    public static bool Covers(string app, Finding finding) =>
        Array.Exists(s_all, k => k.App == app && k.Endpoint == finding.Endpoint && k.Aspect == finding.Aspect);

    private sealed record Known(string App, string Endpoint, Aspect Aspect, string Reason);
}
