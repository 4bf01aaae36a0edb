using AsyncProbe.Cli.Stacks;

namespace AsyncProbe.Cli.Tests.Stacks;

/// <summary>The files of a process that is looked at may be damaged, or replaced by a deployment at that moment.</summary>
[Trait("Category", "Logic")]
public class RemoteModuleTests
{
    private static readonly string s_assembly = typeof(RemoteModuleTests).Assembly.Location;
    private static readonly string s_symbols = Path.ChangeExtension(s_assembly, ".pdb");

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
        var symbols = folder.Write(Path.GetFileName(s_symbols), "");
        var (assembly, lines) = (File.ReadAllBytes(s_assembly), File.ReadAllBytes(s_symbols));
        var random = new Random(1);
        for (var i = 0; i < 60; i++)
        {
            File.WriteAllBytes(path, i % 3 == 0 ? assembly : Damaged(assembly, random));
            File.WriteAllBytes(symbols, i % 3 == 1 ? lines : Damaged(lines, random));
            using var module = RemoteModule.Open(path);
            foreach (var token in module.Handlers().Take(50))
            {
                module.NameOf(token);
                module.Calls(token);
                module.LineOf(token, 0);
            }
        }
    }

    // Such a token claims to be a member's, but has a bit that only the reader's own handles have.
    [Fact]
    public void Call_IsLeftOut_WhenItsTokenIsDamaged()
    {
        const byte Call = 0x28;
        const byte Member = 0x0A;
        var bytes = File.ReadAllBytes(s_assembly);
        for (var i = 4; i < bytes.Length; i++)
        {
            if (bytes[i] == Member && bytes[i - 4] == Call)
            {
                bytes[i] |= 0x80;
            }
        }

        using var folder = new TemporaryFolder();
        var path = folder.Write("Shop.dll", "");
        File.WriteAllBytes(path, bytes);
        using var module = RemoteModule.Open(path);

        module.Handlers().Select(token => module.Calls(token).Count).Sum().ShouldBeGreaterThan(0);
    }

    [Fact]
    public void Handlers_AreTheMethodsThatBecomeDelegates()
    {
        using var module = RemoteModule.Open(s_assembly);

        module.HasCode.ShouldBeTrue();
        module.Handlers().Select(module.NameOf)
            .Any(name => name!.StartsWith(nameof(RemoteModuleTests), StringComparison.Ordinal)).ShouldBeTrue();
    }

    private static byte[] Damaged(byte[] whole, Random random)
    {
        if (random.Next(3) == 0)
        {
            return whole[..random.Next(whole.Length)];
        }

        var bytes = (byte[])whole.Clone();
        for (var changes = 0; changes < 2000; changes++)
        {
            bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
        }

        return bytes;
    }
}
