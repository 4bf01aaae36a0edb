using AsyncProbe.Cli.Stacks;

namespace AsyncProbe.Cli.Tests.Stacks;

/// <summary>The files of a process that is looked at may be damaged, or replaced by a deployment at that moment.</summary>
[Trait("Category", "Logic")]
public class RemoteModuleTests
{
    private static readonly string s_assembly = typeof(RemoteModuleTests).Assembly.Location;

    [Fact]
    public void Module_HasNoCode_WhenItsFileIsNotAnAssembly()
    {
        using var folder = new TemporaryFolder();
        using var module = RemoteModule.Open(folder.Write("Shop.dll", "<html>not an assembly</html>"));

        module.HasCode.ShouldBeFalse();
        module.Handlers().ShouldBeEmpty();
        module.LineOf(0x06000001, 0).ShouldBeNull();
    }

    [Fact]
    public void Module_IsRead_WhereverItIsDamaged()
    {
        using var folder = new TemporaryFolder();
        var path = folder.Write("Shop.dll", "");
        var whole = File.ReadAllBytes(s_assembly);
        var random = new Random(1);
        for (var i = 0; i < 60; i++)
        {
            var bytes = (byte[])whole.Clone();
            for (var changes = 0; changes < 2000; changes++)
            {
                bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            }

            File.WriteAllBytes(path, i % 2 == 0 ? bytes : whole[..random.Next(whole.Length)]);
            using var module = RemoteModule.Open(path);
            foreach (var token in module.Handlers().Take(50))
            {
                module.NameOf(token);
                module.Calls(token);
                module.LineOf(token, 0);
            }
        }
    }

    [Fact]
    public void Handlers_AreTheMethodsThatBecomeDelegates()
    {
        using var module = RemoteModule.Open(s_assembly);

        module.HasCode.ShouldBeTrue();
        module.Handlers().Select(module.NameOf)
            .Any(name => name!.StartsWith(nameof(RemoteModuleTests), StringComparison.Ordinal)).ShouldBeTrue();
    }
}
