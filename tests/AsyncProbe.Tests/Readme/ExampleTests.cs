using System.Reflection;
using System.Xml.Linq;
using AsyncProbe.StackSnapshots;

namespace AsyncProbe.Tests.Readme;

/// <summary>What an editor shows of the calls that a user begins with.</summary>
[SideBySide]
public sealed class ExampleTests
{
    private static readonly Assembly[] s_packages = [typeof(AsyncProbeOptions).Assembly, typeof(StackSnapshotOptions).Assembly];

    private static readonly IReadOnlyList<XElement> s_members =
        [.. s_packages.SelectMany(assembly => XDocument.Load(Path.ChangeExtension(assembly.Location, ".xml")).Descendants("member"))];

    /// <summary>Every method that is called on a class or as an extension, every attribute, and what is asked for or set.</summary>
    public static TheoryData<string> EntryPoints()
    {
        var types = s_packages.SelectMany(assembly => assembly.GetExportedTypes()).ToList();
        var calls = types.SelectMany(type => type.GetMethods(BindingFlags.Public | BindingFlags.Static | BindingFlags.DeclaredOnly))
            .Where(method => !method.IsSpecialName);
        return
        [
            .. calls.Select(method => $"{method.DeclaringType!.FullName}.{method.Name}"),
            .. types.Where(type => type.IsSubclassOf(typeof(Attribute))).Select(type => type.FullName!),
            typeof(IAsyncProbeFeature).FullName!,
            typeof(AsyncProbeOptions).FullName!,
        ];
    }

    [Theory]
    [MemberData(nameof(EntryPoints))]
    public void EntryPoint_HasAnExampleThatCompiles(string name)
    {
        var code = ExampleOf("M:" + name) ?? ExampleOf("T:" + name) ?? ExampleOf("T:" + name[..name.LastIndexOf('.')]);

        code.ShouldNotBeNull();
        if (code.Attribute("language")?.Value != "json")
        {
            DocumentedCode.Errors(code.Value).ShouldBeEmpty(code.Value);
        }
    }

    // Of a method, or of the type whose only way in it is.
    private static XElement? ExampleOf(string name) =>
        s_members.Where(member => member.Attribute("name")!.Value.Split('(')[0] == name).Elements("example").Elements("code")
            .FirstOrDefault();
}
