using System.Globalization;
using System.Xml.Linq;

namespace AsyncProbe.Cli.Sessions.Export;

/// <summary>The elements that a JMeter test plan consists of.</summary>
internal static class JmxElement
{
    /// <summary>Creates a part of the plan; its child elements follow in a separate tree.</summary>
    public static XElement Create(string kind, string gui, string name, bool enabled, params object[] properties) => new(
        kind, new XAttribute("guiclass", gui), new XAttribute("testclass", kind), new XAttribute("testname", name),
        new XAttribute("enabled", enabled), properties);

    public static XElement Tree(params object[] elements) => new("hashTree", elements);

    public static XElement Text(string name, string value) => new("stringProp", new XAttribute("name", name), value);

    public static XElement Number(string name, int value) => Text(name, value.ToString(CultureInfo.InvariantCulture));

    public static XElement Flag(string name, bool value) => new("boolProp", new XAttribute("name", name), value);

    public static XElement List(string name, params object[] elements) => new("collectionProp", new XAttribute("name", name), elements);

    public static XElement Property(string name, string kind, params object[] properties) =>
        new("elementProp", new XAttribute("name", name), new XAttribute("elementType", kind), properties);

    public static XElement Argument(string name, string value) =>
        Property(name, "Argument", Text("Argument.name", name), Text("Argument.value", value), Text("Argument.metadata", "="));
}
