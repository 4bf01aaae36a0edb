using Microsoft.Data.Sqlite;
using Npgsql;

namespace AsyncProbe.Sample.Database;

/// <summary>
/// Which database the stories use: PostgreSQL when <c>ConnectionStrings:Postgres</c> names one, or else SQLite in a file of its own.
/// </summary>
internal sealed class SampleDatabase : IDisposable
{
    private readonly string _file = Path.Combine(Path.GetTempPath(), $"asyncprobe-sample-{Guid.NewGuid():N}.db");

    public SampleDatabase(NpgsqlDataSource? postgres)
    {
        Postgres = postgres;
        Sqlite = new SqliteConnectionStringBuilder { DataSource = _file }.ConnectionString;
    }

    /// <summary>PostgreSQL's connections; null when SQLite and, for the long wait, the upstream process serve.</summary>
    public NpgsqlDataSource? Postgres { get; }

    /// <summary>How to open SQLite's file. Each app has one of its own, also where two run in one process.</summary>
    public string Sqlite { get; }

    /// <summary>In words, for the start page and the log.</summary>
    public string Name => Postgres is null
        ? "SQLite in a file of its own, and the upstream process for the 2 s wait (set ConnectionStrings:Postgres for PostgreSQL)"
        : $"PostgreSQL at {new NpgsqlConnectionStringBuilder(Postgres.ConnectionString).Host}";

    /// <summary>Removes SQLite's file.</summary>
    public void Dispose()
    {
        using (var connection = new SqliteConnection(Sqlite))
        {
            SqliteConnection.ClearPool(connection);
        }

        foreach (var file in Directory.GetFiles(Path.GetTempPath(), Path.GetFileName(_file) + "*"))
        {
            File.Delete(file);
        }
    }
}
