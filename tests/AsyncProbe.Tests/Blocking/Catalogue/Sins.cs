namespace AsyncProbe.Tests.Blocking.Catalogue;

/// <summary>
/// What the sins share. There is one method for each way to block a thread that the wait hook sees; each waits once, in the line after
/// <see cref="Here.Next"/>.
/// </summary>
internal static class Sins
{
    public const int Ms = 60;

    public static HttpClient Http { get; set; } = null!;
}
