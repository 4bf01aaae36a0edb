namespace AsyncProbe.Tests.House;

public sealed class PublicApiTests
{
    // The analyzer that keeps PublicAPI.*.txt knows the members, but not these.
    [Fact]
    [Trait("Category", ApprovedTexts.Category)]
    public void Types_KeepTheirBasesAndInterfaces()
    {
        var texts = new ApprovedTexts("AsyncProbe.Tests/House/PublicTypes");
        foreach (var type in typeof(AsyncProbeOptions).Assembly.GetExportedTypes().OrderBy(type => type.FullName, StringComparer.Ordinal))
        {
            var others = type.GetInterfaces().OrderBy(other => other.FullName, StringComparer.Ordinal).Prepend(type.BaseType).OfType<Type>();
            texts.Add(type.FullName!, string.Join('\n', others.Select(other => other.FullName).Prepend(Kind(type))));
        }

        texts.ShouldBeApproved();
    }

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

    private static string Kind(Type type) => type switch
    {
        { IsInterface: true } => "interface",
        { IsAbstract: true, IsSealed: true } => "static class",
        { IsSealed: true } => "sealed",
        _ => "class",
    };

    private const System.Reflection.BindingFlags Hidden = System.Reflection.BindingFlags.NonPublic | System.Reflection.BindingFlags.Instance;
}
