using System.Globalization;
using System.Reflection;

namespace AsyncProbe.Tests.Shared;

/// <summary>
/// An assembly's public API as text: each public type, and below it its public and protected members. The ledger (PublicApi.txt next to
/// the project) contains the same text, so that a change to it is a decision and not an accident.
/// </summary>
internal static class PublicApi
{
    private const string Update = "ASYNCPROBE_UPDATE_LEDGER";

    private static readonly NullabilityInfoContext s_nullability = new();

    /// <summary>Compares an assembly with its ledger.</summary>
    /// <param name="assembly">The compiled assembly.</param>
    /// <param name="ledger">The path of the ledger within the repository.</param>
    /// <returns>What has changed and what to do about it; null if nothing has.</returns>
    public static string? Compare(Assembly assembly, string ledger)
    {
        var path = Path.Combine(Repository.Folder, ledger);
        var actual = Describe(assembly);
        if (Environment.GetEnvironmentVariable(Update) == "1")
        {
            File.WriteAllLines(path, actual);
            return null;
        }

        var expected = File.Exists(path) ? File.ReadAllLines(path) : [];
        return Difference(expected, actual) is { Length: > 0 } difference
            ? $"""
                The public API of {assembly.GetName().Name} is not what {ledger} says:
                {difference}
                What is removed or changed breaks those who use it. If the change is meant, run this test with {Update}=1, read the difference
                in {ledger}, and commit it together with a line in CHANGELOG.md.
                """
            : null;
    }

    /// <summary>A line for each one removed (-) or added (+), with the type it belongs to; empty if both are the same.</summary>
    internal static string Difference(IReadOnlyList<string> expected, IReadOnlyList<string> actual)
    {
        var (before, after) = (Whole(expected), Whole(actual));
        return string.Join('\n', before.Except(after).Select(l => "- " + l).Concat(after.Except(before).Select(l => "+ " + l)));
    }

    internal static IReadOnlyList<string> Describe(Assembly assembly)
    {
        List<string> lines = [];
        foreach (var type in assembly.GetExportedTypes().OrderBy(t => t.FullName, StringComparer.Ordinal))
        {
            lines.Add($"{Kind(type)} {Name(type)}{Bases(type)}");
            lines.AddRange(Members(type).Distinct().Order(StringComparer.Ordinal).Select(m => "    " + m));
        }

        return lines;
    }

    private static List<string> Whole(IReadOnlyList<string> lines)
    {
        List<string> whole = [];
        var type = "";
        foreach (var line in lines)
        {
            var isMember = line.StartsWith(' ');
            type = isMember ? type : line;
            whole.Add(isMember ? $"{type}: {line.Trim()}" : line);
        }

        return whole;
    }

    private static string Kind(Type type) => type switch
    {
        { IsInterface: true } => "interface",
        { IsEnum: true } => "enum",
        { IsValueType: true } => "struct",
        { IsAbstract: true, IsSealed: true } => "static class",
        { IsSealed: true } => "sealed class",
        _ => "class",
    };

    private static string Bases(Type type)
    {
        var bases = type.IsEnum || type.IsValueType || type.BaseType is null || type.BaseType == typeof(object)
            ? []
            : new List<Type> { type.BaseType };
        bases.AddRange(type.IsEnum ? [] : type.GetInterfaces().Except(type.BaseType?.GetInterfaces() ?? []));
        return bases.Count == 0 ? "" : " : " + string.Join(", ", bases.Select(Name));
    }

    private static IEnumerable<string> Members(Type type)
    {
        const BindingFlags Declared = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;
        if (type.IsEnum)
        {
            return type.GetFields(BindingFlags.Public | BindingFlags.Static)
                .Select(f => $"{f.Name} = {Convert.ToInt64(f.GetRawConstantValue(), CultureInfo.InvariantCulture)}");
        }

        return type.GetConstructors(Declared).Where(IsShown).Select(c => $"{type.Name}({Parameters(c)})")
            .Concat(type.GetMethods(Declared).Where(m => IsShown(m) && !m.IsSpecialName)
                .Select(m => $"{Static(m)}{Result(s_nullability.Create(m.ReturnParameter))} {m.Name}{Generic(m)}({Parameters(m)})"))
            .Concat(type.GetProperties(Declared).Where(p => p.GetAccessors(nonPublic: true).Any(IsShown)).Select(Property))
            .Concat(type.GetEvents(Declared).Where(e => IsShown(e.AddMethod!)).Select(e => $"event {Name(e.EventHandlerType!)} {e.Name}"))
            .Concat(
                type.GetFields(Declared).Where(f => f.IsPublic || f.IsFamily)
                    .Select(f => $"field {Result(s_nullability.Create(f))} {f.Name}"));
    }

    private static bool IsShown(MethodBase method) => method.IsPublic || method.IsFamily || method.IsFamilyOrAssembly;

    private static string Property(PropertyInfo property)
    {
        var isRequired = property.CustomAttributes.Any(a => a.AttributeType.Name == "RequiredMemberAttribute");
        var isInit = property.SetMethod?.ReturnParameter.GetRequiredCustomModifiers().Any(m => m.Name == "IsExternalInit") == true;
        var get = property.GetMethod is { } getter && IsShown(getter) ? " get;" : "";
        var set = property.SetMethod is { } setter && IsShown(setter) ? isInit ? " init;" : " set;" : "";
        var shown = property.GetMethod ?? property.SetMethod!;
        return $"{(isRequired ? "required " : "")}{Static(shown)}{Result(s_nullability.Create(property))} {property.Name} {{{get}{set} }}";
    }

    private static string Static(MethodBase method) => method.IsStatic ? "static " : "";

    private static string Generic(MethodInfo method) =>
        method.IsGenericMethodDefinition ? $"<{string.Join(", ", method.GetGenericArguments().Select(a => a.Name))}>" : "";

    private static string Parameters(MethodBase method) => Extends(method) + string.Join(", ", method.GetParameters().Select(p =>
        $"{Result(s_nullability.Create(p))} {p.Name}{(p.HasDefaultValue ? $" = {Literal(p.DefaultValue)}" : "")}"));

    private static string Extends(MethodBase method) =>
        method.CustomAttributes.Any(a => a.AttributeType.Name == "ExtensionAttribute") ? "this " : "";

    private static string Literal(object? value) => value switch
    {
        null => "null",
        string text => $"\"{text}\"",
        _ => Convert.ToString(value, CultureInfo.InvariantCulture)!,
    };

    /// <summary>A type, including its nullable question marks.</summary>
    private static string Result(NullabilityInfo info)
    {
        var mark = !info.Type.IsValueType && info.ReadState == NullabilityState.Nullable ? "?" : "";
        return info.Type.IsGenericType && Nullable.GetUnderlyingType(info.Type) is null
            ? $"{Plain(info.Type)}<{string.Join(", ", info.GenericTypeArguments.Select(Result))}>{mark}"
            : Name(info.Type) + mark;
    }

    private static string Name(Type type) => Nullable.GetUnderlyingType(type) is { } value
        ? Name(value) + "?"
        : type.IsGenericType ? $"{Plain(type)}<{string.Join(", ", type.GetGenericArguments().Select(Name))}>" : type.FullName ?? type.Name;

    private static string Plain(Type type) => type.GetGenericTypeDefinition().FullName!.Split('`')[0];
}
