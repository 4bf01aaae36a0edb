using Microsoft.Data.Sqlite;
using Npgsql;

namespace AsyncProbe.Sample.Database;

/// <summary>
/// The database that the stories use: PostgreSQL if <c>ConnectionStrings:Postgres</c> names one, otherwise a temporary SQLite file.
/// </summary>
internal sealed class SampleDatabase : IDisposable
{
    private readonly string _file = Path.Combine(Path.GetTempPath(), $"asyncprobe-sample-{Guid.NewGuid():N}.db");

    public SampleDatabase(NpgsqlDataSource? postgres)
    {
        Postgres = postgres;
        Sqlite = new SqliteConnectionStringBuilder { DataSource = _file }.ConnectionString;
    }

    /// <summary>PostgreSQL's connections; null if the stories use SQLite, and the upstream process for the long wait.</summary>
    public NpgsqlDataSource? Postgres { get; }

    /// <summary>The connection string of the SQLite file. Each app has its own file, even if two run in one process.</summary>
    public string Sqlite { get; }

    /// <summary>A description for the start page and the log.</summary>
    public string Name => Postgres is null
        ? "SQLite in a file of its own, and the upstream process for the 2 s wait (set ConnectionStrings:Postgres for PostgreSQL)"
        : $"PostgreSQL at {new NpgsqlConnectionStringBuilder(Postgres.ConnectionString).Host}";

    /// <summary>Deletes SQLite's file.</summary>
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
