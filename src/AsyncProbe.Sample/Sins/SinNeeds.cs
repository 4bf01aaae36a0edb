namespace AsyncProbe.Sample.Sins;

/// <summary>What some sins need from their caller.</summary>
internal static class SinNeeds
{
    public const string SlowBody = "a POST whose body comes slowly";
    public const string WebSocket = "a WebSocket client";
    public const string Postgres = "ConnectionStrings:Postgres";
    public const string Patience = "a caller who gives up: it never ends by itself";
}
