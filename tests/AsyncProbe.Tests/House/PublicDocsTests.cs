using System.Reflection;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using AsyncProbe.StackSnapshots;

namespace AsyncProbe.Tests.House;

/// <summary>The documentation file in the package: it covers everything that a user can name, completely, and nothing else.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class PublicDocsTests
{
    [Theory]
    [InlineData(typeof(AsyncProbeOptions))]
    [InlineData(typeof(StackSnapshotOptions))]
    public void File_HoldsThePublicMembers_AndNoOthers(Type type)
    {
        var documented = XDocument.Load(Path.ChangeExtension(type.Assembly.Location, ".xml")).Descendants("member")
            .Select(member => member.Attribute("name")!.Value[2..].Split('(')[0]).ToHashSet();

        documented.Except(Members(type.Assembly)).ShouldBeEmpty();
        type.Assembly.GetExportedTypes().Select(exported => exported.FullName).Except(documented).ShouldBeEmpty();
        documented.ShouldContain($"{type.FullName}.{type.GetProperties()[0].Name}");
    }

    [Theory]
    [InlineData(typeof(AsyncProbeOptions))]
    [InlineData(typeof(StackSnapshotOptions))]
    public void Member_ExplainsAllOfItsParameters(Type type)
    {
        var methods = XDocument.Load(Path.ChangeExtension(type.Assembly.Location, ".xml")).Descendants("member")
            .Select(member => (Name: member.Attribute("name")!.Value, Explained: member.Elements("param").Count()))
            .Where(member => member.Name.StartsWith("M:", StringComparison.Ordinal)).ToList();

        methods.ShouldNotBeEmpty();
        methods.Where(method => method.Explained != Parameters(method.Name)).ShouldBeEmpty();
    }

    // Commas between the arguments of a generic type are in braces.
    private static int Parameters(string member)
    {
        var list = member.Contains('(', StringComparison.Ordinal) ? member[(member.IndexOf('(', StringComparison.Ordinal) + 1)..] : "";
        while (Regex.Replace(list, @"\{[^{}]*\}", "") is var outer && outer != list)
        {
            list = outer;
        }

        return list.Length == 0 ? 0 : list.Split(',').Length;
    }

    private static IEnumerable<string> Members(Assembly assembly) =>
        from type in assembly.GetExportedTypes()
        let members = type.GetMembers(BindingFlags.DeclaredOnly | BindingFlags.Instance | BindingFlags.Static | BindingFlags.Public)
        from name in members.Select(member => $"{type.FullName}.{member.Name.Replace('.', '#')}").Append(type.FullName!)
        select name;
}
