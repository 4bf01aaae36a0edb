namespace AsyncProbe.Analyzers.Reports;

/// <summary>Converts method names that the compiler generated to the names in the source.</summary>
internal static class GeneratedNames
{
    /// <summary>
    /// Converts "Store.&lt;Load&gt;d__1.MoveNext" to "Store.Load", and "Store.&lt;Load&gt;g__Read|1_0" to "Store.Load.Read".
    /// </summary>
    public static string ToSource(string method)
    {
        method = method.Replace('+', '.');
        var start = method.IndexOf('<');
        if (start <= 0 || method[start - 1] != '.')
        {
            return method;
        }

        var type = method.Substring(0, start - 1);
        var name = method.Substring(start);
        const string Closure = "<>c";
        if (name.StartsWith(Closure, StringComparison.Ordinal))
        {
            // The lambda's own name follows the closure's.
            var inner = name.IndexOf(".<", StringComparison.Ordinal);
            if (inner < 0)
            {
                return method;
            }

            name = name.Substring(inner + 1);
        }

        return Inner(name) is { Length: > 0 } found ? $"{type}.{found}" : method;
    }

    private static string Inner(string name)
    {
        var depth = 0;
        for (var i = 0; i < name.Length; i++)
        {
            depth += name[i] switch { '<' => 1, '>' => -1, _ => 0 };
            if (depth == 0)
            {
                return i > 1 ? Named(name.Substring(1, i - 1), name.Substring(i + 1)) : "";
            }
        }

        return "";
    }

    private static string Named(string inside, string rest)
    {
        var outer = inside.StartsWith("<", StringComparison.Ordinal) ? Inner(inside) : inside;
        const string LocalFunction = "g__";
        var bar = rest.IndexOf('|');
        return rest.StartsWith(LocalFunction, StringComparison.Ordinal) && bar > 0
            ? $"{outer}.{rest.Substring(LocalFunction.Length, bar - LocalFunction.Length)}"
            : outer;
    }
}
