namespace AsyncProbe.Stories.Tests.Database;

/// <summary>A connection string for a missing PostgreSQL server, and one that can't be parsed.</summary>
[SideBySide]
public sealed class MissingDatabaseTests
{
    [Fact]
    public async Task App_Starts_WhenPostgresIsNotThereYet()
    {
        await using var app = await TestApp.StartSampleAsync(
            "--Sample:Upstream=false", "--ConnectionStrings:Postgres=Host=127.0.0.1;Port=1;Username=postgres;Timeout=1");
        using var answer = await app.GetAsync("/Product/1");
        await answer.ShouldBeProblemAsync(503);
        (await app.TextAsync("/values/delay?ms=0")).ShouldContain("value1");
    }

    [Fact]
    public async Task ConnectionString_IsRefusedInASentence_WhenItCannotBeRead()
    {
        var refusal = await Should.ThrowAsync<InvalidOperationException>(
            () => SampleProcess.StartAsync("--ConnectionStrings:Postgres", "Nonsense=1"));
        refusal.Message.ShouldContain("ConnectionStrings:Postgres cannot be read");
    }
}
