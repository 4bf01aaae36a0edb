using System.Reflection;

namespace AsyncProbe.Tests.House;

/// <summary>The names that the package has given up stay out of it.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class NamesTests
{
    private static readonly Assembly s_package = typeof(AsyncProbeOptions).Assembly;

    [Fact]
    public void NoType_NorMember_HasAnOldName() => NameFinder.FindWords(
        s_package, nameof(AsyncProbe), "Book", "Booked", "Tell", "Told", "Doctor", "Story", "Exposure", "ServerShare", "Asker", "OwnCode",
        "OwnMethods", "OwnPart", "StackPlace", "CallPlace", "ArmedPlaces", "SampledWait", "Patience").ShouldBeEmpty();

    [Theory]
    [InlineData("Of")]
    [InlineData("Join")]
    [InlineData("Leave")]
    [InlineData("Own")]
    [InlineData("Place")]
    public void NoMethod_HasAnOldName(string name) => NameFinder.FindMethods(s_package, nameof(AsyncProbe), name).ShouldBeEmpty();
}
