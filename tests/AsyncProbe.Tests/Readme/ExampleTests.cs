using System.Reflection;
using System.Xml.Linq;
using AsyncProbe.StackSnapshots;

namespace AsyncProbe.Tests.Readme;

/// <summary>What an editor shows of the calls that a user begins with.</summary>
[SideBySide]
public sealed class ExampleTests
{
    private static readonly Assembly[] s_packages = [typeof(AsyncProbeOptions).Assembly, typeof(StackSnapshotOptions).Assembly];

    /// <summary>Where a user begins: every extension method, and every type and static method that is called or applied directly.</summary>
    public static TheoryData<string> EntryPoints()
    {
        var types = s_packages.SelectMany(assembly => assembly.GetExportedTypes()).ToList();
        var extensions = types.SelectMany(type => type.GetMethods(BindingFlags.Public | BindingFlags.Static | BindingFlags.DeclaredOnly))
            .Where(method => method.IsDefined(typeof(System.Runtime.CompilerServices.ExtensionAttribute)));
        return
        [
            .. extensions.Select(method => $"M:{method.DeclaringType!.FullName}.{method.Name}"),
            .. types.Where(type => type.IsSubclassOf(typeof(Attribute))).Select(type => $"T:{type.FullName}"),
            $"T:{typeof(BlockingScope).FullName}",
            $"T:{typeof(IAsyncProbeFeature).FullName}",
            $"T:{typeof(AsyncProbeOptions).FullName}",
            $"M:{typeof(BlockingGuard).FullName}.{nameof(BlockingGuard.AssertNoBlockingAsync)}",
            $"M:{typeof(BlockingGuard).FullName}.{nameof(BlockingGuard.CollectAsync)}",
        ];
    }

    [Theory]
    [MemberData(nameof(EntryPoints))]
    public void EntryPoint_HasAnExampleThatCompiles(string name)
    {
        var code = Members().Where(member => member.Attribute("name")!.Value.Split('(')[0] == name)
            .Elements("example").Elements("code").ShouldHaveSingleItem();

        if (code.Attribute("language")?.Value != "json")
        {
            DocumentedCode.Errors(code.Value).ShouldBeEmpty(code.Value);
        }
    }

    // The compiler writes the file beside each assembly, and the build copies it along.
    private static IEnumerable<XElement> Members() =>
        s_packages.SelectMany(assembly => XDocument.Load(Path.ChangeExtension(assembly.Location, ".xml")).Descendants("member"));
}
