using System.Reflection;
using AsyncProbe.Blocking.Alternatives;
using AsyncProbe.Tests.Blocking.Stacks;
using Microsoft.Data.Sqlite;
using Npgsql;

namespace AsyncProbe.Tests.Blocking.Alternatives;

[Trait(Logic.Category, Logic.Name)]
public sealed class ProvidersInCodeTests
{
    private const BindingFlags All = BindingFlags.NonPublic | BindingFlags.Static;

    private readonly ProvidersInCode _code = new(HandMadeStacks.Frames);

    // Without stack snapshots, its wait for the write lock got the advice to await.
    [Theory]
    [InlineData(nameof(BuyAsync), "Microsoft.Data.Sqlite")]
    [InlineData(nameof(BuyThroughAService), "Microsoft.Data.Sqlite")]
    [InlineData(nameof(ListLater), "Microsoft.Data.Sqlite")]
    [InlineData(nameof(BuyAndSleep), null)]
    [InlineData(nameof(BuyAndWriteAFile), null)]
    [InlineData(nameof(BuyInTwoDatabases), null)]
    [InlineData(nameof(BuyAndLogToALibrary), null)]
    [InlineData(nameof(OnlyCount), null)]
    public void Provider_IsTheOnlyThingThatMayWaitUnseen(string handler, string? expected) =>
        (_code.Find(GetType().GetMethod(handler, All)!)?.Name).ShouldBe(expected);

    [Fact]
    public void Provider_IsUnknown_WithoutAHandler() => _code.Find(handler: null).ShouldBeNull();

    private static async Task<string> BuyAsync()
    {
        await using var connection = Open();
        await using var transaction = connection.BeginTransaction();
        await Task.Delay(1);
        return "bought";
    }

    private static void BuyThroughAService(IShop shop) => shop.Buy();

    private static IEnumerable<string> ListLater()
    {
        using var connection = Open();
        yield return connection.DataSource;
    }

    private static async Task BuyAndSleep()
    {
        await BuyAsync();
        await Task.Run(() => Thread.Sleep(1));
    }

    private static void BuyAndWriteAFile()
    {
        Open().Dispose();
        File.WriteAllText("bill", "text");
    }

    private static void BuyInTwoDatabases()
    {
        Open().Dispose();
        new NpgsqlConnection("").Open();
    }

    private static void BuyAndLogToALibrary()
    {
        Open().Dispose();
        Serilog.Log.Information("bought");
    }

    private static int OnlyCount(string text) => text.Count(char.IsLetter);

    private static SqliteConnection Open()
    {
        var connection = new SqliteConnection("Data Source=:memory:");
        connection.Open();
        return connection;
    }

    private interface IShop
    {
        void Buy();
    }

    private sealed class Shop : IShop
    {
        public void Buy() => Open().Dispose();
    }
}
