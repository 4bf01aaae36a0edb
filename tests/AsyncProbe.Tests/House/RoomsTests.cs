namespace AsyncProbe.Tests.House;

/// <summary>
/// Each room of the package uses only the rooms above it. This reads the compiled assembly, so that an alias, a full name or a
/// <c>var</c> can't hide a reference.
/// </summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class RoomsTests
{
    private const string Contracts = "AsyncProbe";
    private const string Wiring = "AsyncProbe.Wiring";

    /// <summary>From top to bottom: every room may use the public contracts, and the wiring may use every room.</summary>
    private static readonly string[] s_rooms =
    [
        Contracts,
        "AsyncProbe.Common",
        "AsyncProbe.Clocks",
        "AsyncProbe.Rules",
        "AsyncProbe.Blocking.Sources",
        "AsyncProbe.Blocking.Kinds",
        "AsyncProbe.Blocking.Methods",
        "AsyncProbe.Blocking.Code",
        "AsyncProbe.Blocking.Alternatives",
        "AsyncProbe.Blocking.Places",
        "AsyncProbe.Blocking.Stacks",
        "AsyncProbe.Blocking.Sites",
        "AsyncProbe.Requests.Counts",
        "AsyncProbe.Requests.Operations",
        "AsyncProbe.Requests.Endpoints",
        "AsyncProbe.Requests",
        "AsyncProbe.Requests.OutputCaching",
        "AsyncProbe.Pool.Sampling",
        "AsyncProbe.Pool.Diagnosis",
        "AsyncProbe.Blocking.Hook",
        "AsyncProbe.Blocking.Waits",
        "AsyncProbe.Blocking.EfCore",
        "AsyncProbe.Blocking.Sampling",
        "AsyncProbe.Reporting",
        "AsyncProbe.Reporting.Json",
        "AsyncProbe.Reporting.Profile",
        "AsyncProbe.Reporting.Metrics",
        "AsyncProbe.Reporting.Page",
        "AsyncProbe.Reporting.Access",
        "AsyncProbe.Reporting.Http",
        "AsyncProbe.Reporting.Lifeline",
        "AsyncProbe.Accounting",
        Wiring,
    ];

    /// <summary>Public types that do something. They are doors into the rooms: they may use rooms, but no room may use them.</summary>
    private static readonly string[] s_doors = ["AsyncProbe.BlockingGuard", "AsyncProbe.BlockingScope", "AsyncProbe.AsyncProbeOperation"];

    private static readonly IReadOnlyList<TypeUse> s_references = TypeUses.Read(typeof(AsyncProbeOptions).Assembly.Location);

    [Fact]
    public void Room_UsesOnlyRoomsAboveIt() =>
        new RoomOrder(RoomOf, s_rooms).FindViolations(s_references).ShouldBeEmpty();

    [Fact]
    public void Room_IsListed_WhenTypesLieInIt()
    {
        var found = typeof(AsyncProbeOptions).Assembly.GetTypes().Select(type => type.Namespace ?? "").Distinct().ToList();
        found.Where(name => !s_rooms.Contains(name) && !IsDoorOfMicrosoft(name) && !IsOfTheCompiler(name)).ShouldBeEmpty();
        s_rooms.Except(found).ShouldBeEmpty("a room without types");
    }

    // Every room may use what the compiler adds.
    private static string? RoomOf(string type) =>
        Array.IndexOf(s_doors, type) >= 0 || IsDoorOfMicrosoft(type) ? Wiring
        : IsOfTheCompiler(type) ? null
        : type[..type.LastIndexOf('.')];

    // Extension methods are in the namespaces of the types that they extend.
    private static bool IsDoorOfMicrosoft(string name) => name.StartsWith("Microsoft.", StringComparison.Ordinal);

    private static bool IsOfTheCompiler(string name) => !name.StartsWith("AsyncProbe", StringComparison.Ordinal);
}
