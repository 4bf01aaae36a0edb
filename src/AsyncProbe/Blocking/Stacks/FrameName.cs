using System.Reflection;

namespace AsyncProbe.Blocking.Stacks;

/// <summary>A method's name as its source has it: without the types and names that the compiler makes up.</summary>
/// <param name="Full">With the namespace, for rules.</param>
/// <param name="Short">Type and method, for people.</param>
internal readonly record struct FrameName(string Full, string Short)
{
    // What an expression is compiled to: "lambda_method444", numbered through the life of the process.
    private const string Compiled = "lambda_method";

    public static FrameName From(MethodBase method) => method switch
    {
        { DeclaringType: { } type } => From(type, method.Name),
        _ when method.Name.StartsWith(Compiled, StringComparison.Ordinal) => new FrameName(Compiled, "compiled expression"),
        _ => new FrameName(method.Name, method.Name),
    };

    private static FrameName From(Type type, string method)
    {
        // A state machine or a closure: the method's name is in the type's name, unless the method is a lambda with a name of its own.
        var name = method;
        while (type.Name.StartsWith('<') && type.DeclaringType is { } outer)
        {
            // An iterator's "<>m__Finally1" has no name either.
            if ((!name.StartsWith('<') || name.StartsWith("<>", StringComparison.Ordinal))
                && !type.Name.StartsWith("<>", StringComparison.Ordinal))
            {
                name = type.Name;
            }

            type = outer;
        }

        var typeName = TypeName(type);
        var shortName = $"{typeName}.{SourceName(name)}";
        return new FrameName(string.IsNullOrEmpty(type.Namespace) ? shortName : $"{type.Namespace}.{shortName}", shortName);
    }

    private static string TypeName(Type type)
    {
        var arity = type.Name.IndexOf('`', StringComparison.Ordinal);
        var name = arity < 0 ? type.Name : type.Name[..arity];
        return type.DeclaringType is { } outer ? $"{TypeName(outer)}.{name}" : name;
    }

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

        // A constructor, or the explicit implementation of an interface's method.
        return name[(name.LastIndexOf('.') + 1)..];
    }

    private static int MatchingEnd(string name)
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
