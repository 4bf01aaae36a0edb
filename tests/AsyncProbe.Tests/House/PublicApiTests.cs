namespace AsyncProbe.Tests.House;

public sealed class PublicApiTests
{
    [Fact]
    public void Api_HasNoRecords_BecauseAddingAMemberToOneBreaksCallers() =>
        typeof(AsyncProbeOptions).Assembly.GetExportedTypes()
            .Where(t => t.GetMethod("<Clone>$") is not null || t.GetMethod("PrintMembers", Hidden) is not null)
            .ShouldBeEmpty();

    [Fact]
    public void Api_HasNoConstructor_ThatTakesAService() =>
        typeof(AsyncProbeOptions).Assembly.GetExportedTypes().SelectMany(t => t.GetConstructors())
            .Where(c => c.GetParameters().Any(p => p.ParameterType.IsInterface))
            .ShouldBeEmpty();

    private const System.Reflection.BindingFlags Hidden = System.Reflection.BindingFlags.NonPublic | System.Reflection.BindingFlags.Instance;
}
