using Npgsql;

namespace AsyncProbe.Sample.Database;

/// <summary>Which database the stories use: PostgreSQL when <c>ConnectionStrings:Postgres</c> names one, or else none outside this process.</summary>
internal sealed class SampleDatabase(NpgsqlDataSource? postgres)
{
    /// <summary>PostgreSQL's connections; null when EF Core in memory and the upstream process serve.</summary>
    public NpgsqlDataSource? Postgres { get; } = postgres;

    /// <summary>In words, for the start page and the log.</summary>
    public string Name => Postgres is null
        ? "none: EF Core in memory, and the upstream process for the 2 s wait (set ConnectionStrings:Postgres for PostgreSQL)"
        : $"PostgreSQL at {new NpgsqlConnectionStringBuilder(Postgres.ConnectionString).Host}";
}
