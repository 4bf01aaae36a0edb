using System.Reflection;
using System.Xml.Linq;
using AsyncProbe.StackSnapshots;

namespace AsyncProbe.Tests.Readme;

/// <summary>What an editor shows for the calls that a user starts with.</summary>
[SideBySide]
public sealed class ExampleTests
{
    private static readonly Assembly[] s_packages = [typeof(AsyncProbeOptions).Assembly, typeof(StackSnapshotOptions).Assembly];

    private static readonly IReadOnlyList<XElement> s_members =
        [.. s_packages.SelectMany(assembly => XDocument.Load(Path.ChangeExtension(assembly.Location, ".xml")).Descendants("member"))];

    /// <summary>Every static or extension method, every attribute, and every member to request or set.</summary>
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

    // The example of a method, or of the type if the method is its only entry point.
    private static XElement? ExampleOf(string name) =>
        s_members.Where(member => member.Attribute("name")!.Value.Split('(')[0] == name).Elements("example").Elements("code")
            .FirstOrDefault();
}
