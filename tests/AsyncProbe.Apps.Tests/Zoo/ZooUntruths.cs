namespace AsyncProbe.Apps.Tests.Zoo;

/// <summary>
/// Wrong answers about the zoo that we know of, each with its reason. The test that runs the whole zoo fails when a different answer goes
/// wrong. Which methods the runtime inlines differs from run to run, so all of them occur by chance.
/// </summary>
internal static class ZooUntruths
{
    private const string Inlined = "Optimised code inlines the application's method into ";

    public static IReadOnlyList<KnownUntruth> Known { get; } =
    [
        new("^GET /scrutor$", Aspect.FalseAlarm, Inlined
            + "the stub that reflection compiles for a constructor. If several constructors wait, the stub itself is named, without a line. "
            + "The stub's name tells the constructor's type, but not its namespace.") { IsByChance = true },
        new("^GET /fastendpoints$", Aspect.FalseAlarm, Inlined
            + "FastEndpoints' base class, which is named instead, without a line. A fix needs the method that the endpoint overrides.")
        {
            IsByChance = true,
        },
        new("^GET /(grpc|castle)$", Aspect.FalseAlarm, Inlined
            + "the code that calls it, and only a method of the library is left, which is named instead, without a line.") { IsByChance = true },
        new("^GET /(grpc|castle)$", Aspect.Method, "The same.") { IsByChance = true },
        new("^GET /fusioncache/miss$", Aspect.Kind, Inlined
            + "FusionCache's method that calls it, so the endpoint's call of FusionCache is named, with that method's kind of wait.")
        {
            IsByChance = true,
        },
        new("^GET /fusioncache/miss$", Aspect.Line, "The same.") { IsByChance = true },
        new("^GET /sqlite/transaction$", Aspect.Verdict, "The provider sleeps while it waits for the write lock. With stack snapshots, the "
            + "code isn't asked, and a load of half a second shows it by chance.")
        {
            IsByChance = true,
        },
        new("^GET /sqlite/transaction$", Aspect.Contradiction, "The same: the advice is to await, but its help says that awaiting changes nothing.")
        {
            IsByChance = true,
        },
        new("^GET /(mailkit|efcore/npgsql)/async$", Aspect.Verdict, "Many short awaits: on a crowded machine the pool's queue delay is charged "
            + "to each of them, which is more than the time that they take.") { IsByChance = true },
        new("^GET /imagesharp$", Aspect.Line, "Optimised code reports the statement before, which creates the image. Nothing shows that this "
            + "library's constructor doesn't run Parallel.For.") { IsByChance = true },
        new("^GET /reactive$", Aspect.Kind, "Optimised code inlines an event's wait into the library's method, so only the event's monitor "
            + "is left.") { IsByChance = true },
        new("^GET /reactive$", Aspect.Contradiction, "The same.") { IsByChance = true },
        new("^GET /dapper/npgsql$", Aspect.Kind, "The runtime emulates a synchronous read of a socket with an event. Where a stack shows "
            + "only the event, the query isn't named.") { IsByChance = true },
        new("^GET /newtonsoft$", Aspect.Verdict, "Large strings make the thread wait in the runtime's allocator on a busy machine. No place "
            + "is known, and await is advised.") { IsByChance = true },
    ];
}
