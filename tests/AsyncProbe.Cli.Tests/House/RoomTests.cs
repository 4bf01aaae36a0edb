using AsyncProbe.Cli.Commands;

namespace AsyncProbe.Cli.Tests.House;

public class RoomTests
{
    private static readonly string[] s_rooms =
    [
        "Sessions", "Statistics", "Snapshots", "Server", "Joining", "Processes", "Sites", "Load", "Runs", "Thresholds", "Comparison",
        "Observation", "Stacks", "Views", "Outcomes", "Options", "Commands",
    ];

    private static readonly IReadOnlyList<TypeUse> s_references = TypeUses.Read(typeof(CommandLine).Assembly.Location);

    [Fact]
    public void Room_UsesOnlyRoomsAboveIt() => RoomOrder.In("AsyncProbe.Cli", s_rooms).FindViolations(s_references).ShouldBeEmpty();

    [Fact]
    public void EveryRoom_IsThere_AndIsUsed() =>
        s_references.Select(reference => reference.User.Split('.')).Where(parts => parts is ["AsyncProbe", "Cli", _, _, ..])
            .Select(parts => parts[2]).Distinct()
            .ShouldBe(s_rooms, ignoreOrder: true);

    [Fact]
    public void Order_SaysWhichTypeUsesWhich_WhenARoomUsesOneBelow()
    {
        TypeUse[] references =
        [
            new("A.Upper.One", "A.Lower.Two"),
            new("A.Lower.Two", "A.Upper.One"),
            new("A.Lower.Two", "System.Text.Rune"),
            new("A.Wiring", "A.Lower.Two"),
        ];

        RoomOrder.In("A", "Upper", "Lower").FindViolations(references)
            .ShouldBe(["A.Upper.One uses A.Lower.Two: Upper may use only itself, and Lower comes after it."]);
        RoomOrder.In("A", "Lower").FindViolations(references).First()
            .ShouldBe("A.Upper.One uses A.Lower.Two, but Upper is not one of the rooms Lower.");
    }

    [Theory]
    [InlineData(nameof(ThroughItsBase))]
    [InlineData(nameof(ThroughAnInterface))]
    [InlineData(nameof(ThroughAField))]
    [InlineData(nameof(ThroughASignature))]
    [InlineData(nameof(ThroughALocal))]
    [InlineData(nameof(ThroughACall))]
    [InlineData(nameof(ThroughATypeArgument))]
    [InlineData(nameof(ThroughALambda))]
    [InlineData(nameof(ThroughAnAwait))]
    [InlineData(nameof(ThroughAnAttribute))]
    [InlineData(nameof(ThroughATypeInAnAttribute))]
    [InlineData(nameof(ThroughATypeof))]
    public void Reader_FindsAReference(string user) =>
        TypeUses.Read(typeof(RoomTests).Assembly.Location)
            .ShouldContain(new TypeUse($"{typeof(RoomTests).Namespace}.{user}", typeof(Used).FullName!));

    [Fact]
    public void Reader_FindsNoReference_WhereThereIsNone() =>
        TypeUses.Read(typeof(RoomTests).Assembly.Location).ShouldNotContain(reference => reference.User == typeof(Used).FullName);
}
