using System.Reflection;

namespace AsyncProbe.Blocking.Sources;

/// <summary>A method's name as in the source, without the types and names that the compiler generates.</summary>
/// <param name="Full">The name with its namespace, for rules.</param>
/// <param name="Short">Type and method, for display.</param>
internal readonly record struct FrameName(string Full, string Short)
{
    // The runtime names a compiled expression "lambda_method444", with a number that grows over the life of the process.
    private const string Compiled = "lambda_method";

    public static FrameName From(MethodBase method) => method switch
    {
        { DeclaringType: { } type } => From(type, method.Name),
        _ when method.Name.StartsWith(Compiled, StringComparison.Ordinal) => new FrameName(Compiled, "compiled expression"),
        _ => new FrameName(method.Name, method.Name),
    };

    /// <param name="namespaceName">The namespace; null or empty when there is none.</param>
    /// <param name="types">The names of the types around the method, the outermost first.</param>
    /// <param name="method">The method's name.</param>
    public static FrameName From(string? namespaceName, IReadOnlyList<string> types, string method)
    {
        // For a state machine, the method's name is part of the type's name. In a closure, the method is a lambda with its own name.
        var name = method;
        var last = types.Count - 1;
        for (; last > 0 && types[last].StartsWith('<'); last--)
        {
            if (!types[last].StartsWith("<>", StringComparison.Ordinal))
            {
                name = types[last];
            }
        }

        var shortName = $"{string.Join('.', types.Take(last + 1).Select(WithoutArity))}.{SourceName(name)}";
        return new FrameName(string.IsNullOrEmpty(namespaceName) ? shortName : $"{namespaceName}.{shortName}", shortName);
    }

    private static FrameName From(Type type, string method)
    {
        List<string> types = [];
        for (var outer = type; outer is not null; outer = outer.DeclaringType)
        {
            types.Insert(0, outer.Name);
        }

        return From(type.Namespace, types, method);
    }

    private static string WithoutArity(string type) => type.IndexOf('`', StringComparison.Ordinal) is >= 0 and var at ? type[..at] : type;

    private static string SourceName(string name)
    {
        if (name.StartsWith('<') && MatchingEnd(name) is > 0 and var end)
        {
            var inner = SourceName(name[1..end]);
            var rest = name[(end + 1)..];
            var bar = rest.IndexOf('|', StringComparison.Ordinal);
            return rest.StartsWith("g__", StringComparison.Ordinal) && bar > 0 ? $"{inner}.{rest[3..bar]}" : inner;
        }

        if (name.StartsWith("get_", StringComparison.Ordinal) || name.StartsWith("set_", StringComparison.Ordinal))
        {
            return name[4..];
        }

        // For constructors and explicit interface implementations.
        return name[(name.LastIndexOf('.') + 1)..];
    }

    /// <summary>The position of the bracket that closes the name's first one; -1 without one.</summary>
    public static int MatchingEnd(string name)
    {
        var depth = 0;
        for (var i = 0; i < name.Length; i++)
        {
            depth += name[i] switch { '<' => 1, '>' => -1, _ => 0 };
            if (depth == 0)
            {
                return i;
            }
        }

        return -1;
    }
}
