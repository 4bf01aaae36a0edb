using System.Reflection;
using System.Text.RegularExpressions;

namespace AsyncProbe.Tests.Shared;

/// <summary>Finds names that this code base no longer uses, in a compiled assembly.</summary>
internal static class NameFinder
{
    /// <summary>Types and members of the root namespace, each as "Type.Member", whose name contains one of the words.</summary>
    public static IEnumerable<string> FindWords(Assembly assembly, string root, params string[] words) =>
        from word in words.Select(WholeWord)
        from type in Types(assembly, root)
        from name in Members(type).Select(member => member.Name).Prepend(type.Name).Concat(Parameters(type))
        where word.IsMatch(name)
        select $"{type.FullName}: {name}";

    /// <summary>Methods with exactly this name.</summary>
    public static IEnumerable<string> FindMethods(Assembly assembly, string root, string name) =>
        from type in Types(assembly, root)
        from method in Members(type).OfType<MethodInfo>()
        where method.Name == name
        select $"{type.FullName}.{method.Name}";

    private static IEnumerable<Type> Types(Assembly assembly, string root) =>
        assembly.GetTypes()
            .Where(type => type.Namespace is { } space && (space == root || space.StartsWith(root + ".", StringComparison.Ordinal)));

    private static MemberInfo[] Members(Type type) => type.GetMembers(
        BindingFlags.DeclaredOnly | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static);

    private static IEnumerable<string> Parameters(Type type) =>
        Members(type).OfType<MethodBase>().SelectMany(method => method.GetParameters()).Select(parameter => parameter.Name ?? "");

    /// <summary>Matches a whole word in a Pascal or camel case name.</summary>
    private static Regex WholeWord(string word) =>
        new($"(^|[^A-Za-z])(?i:{word})(?=$|[^a-z])|(?<=[a-z]){word}(?=$|[^a-z])", RegexOptions.None, TimeSpan.FromSeconds(30));
}
