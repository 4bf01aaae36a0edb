using System.Globalization;
using System.Text;

namespace AsyncProbe.Truth.Tests.Generator;

/// <summary>Writes a row as C# source.</summary>
internal static class RowSource
{
    private const string Usings =
        """
        using System;
        using System.Collections.Concurrent;
        using System.Collections.Generic;
        using System.Net.Http;
        using System.Threading;
        using System.Threading.Tasks;
        using AsyncProbe;
        using AsyncProbe.TruthServer;
        using Microsoft.AspNetCore.Builder;
        using Microsoft.AspNetCore.Http;
        using Microsoft.AspNetCore.Mvc;
        using Microsoft.AspNetCore.Mvc.Filters;
        using Microsoft.EntityFrameworkCore;
        using Microsoft.Extensions.DependencyInjection;

        """;

    public static string Marker(Row row) => "// blocks: " + row.Name;

    /// <summary>The number of the line that blocks, from 1.</summary>
    public static int LineOf(Row row)
    {
        var lines = Write(row).Split('\n');
        return Array.FindIndex(lines, l => l.EndsWith(Marker(row), StringComparison.Ordinal)) + 1;
    }

    public static string Write(Row row)
    {
        var isAsync = row.Position.Awaits > 0 || row.Wait.IsAsync;
        var inner = Fill(row.Position.Members, row.Wait.IsAsync, Statements(row));
        var body = Fill(row.Position.Code, row.Wait.IsAsync, Statements(row));
        var members = $"{row.Wait.Members}\n{inner}";
        return Usings + Fill(row.Shape.Code, isAsync, body)
            .Replace("$MEMBERS", members, StringComparison.Ordinal)
            .Replace("$ROUTE", row.Route, StringComparison.Ordinal)
            .Replace("$MS", row.Ms.ToString(CultureInfo.InvariantCulture), StringComparison.Ordinal)
            .Replace("$N", row.Name, StringComparison.Ordinal);
    }

    /// <summary>The class through which the server finds the rows.</summary>
    public static string WriteIndex(IReadOnlyCollection<Row> rows)
    {
        var text = new StringBuilder(Usings).Append("public static class Rows\n{\n");
        Call("AddServices", "IServiceCollection");
        Call("Use", "WebApplication");
        Call("Map", "WebApplication");
        text.Append("}\n\ninternal static class OwnClocks\n{\n");
        foreach (var row in rows)
        {
            text.Append(
                CultureInfo.InvariantCulture, $"internal static readonly LedgerCell {row.Name} = Ledger.Cell(\"{row.Endpoint}\");\n");
        }

        return text.Append("}\n").ToString();

        void Call(string method, string type)
        {
            text.Append(CultureInfo.InvariantCulture, $"public static void {method}({type} target)\n{{\n");
            foreach (var row in rows.Where(r => r.Shape.Code.Contains($"public static void {method}(", StringComparison.Ordinal)))
            {
                text.Append(CultureInfo.InvariantCulture, $"{row.Name}.{method}(target);\n");
            }

            text.Append("}\n");
        }
    }

    private static string Statements(Row row)
    {
        var code = row.Course switch
        {
            Course.TurnsOn => $"if (Turns.HasTurned(\"{row.Name}\")) {{ {row.Wait.Code} }}",
            Course.TurnsOff => $"if (!Turns.HasTurned(\"{row.Name}\")) {{ {row.Wait.Code} }}",
            _ => row.Wait.Code,
        };
        var line = $"{code} {Marker(row)}";
        var isClocked = row is { Style: Style.Clocked, Wait.IsParallel: false }
            && !row.Wait.Code.Contains("await ", StringComparison.Ordinal);
        return (row.Wait.Setup.Length == 0 ? "" : row.Wait.Setup + "\n")
            + (isClocked ? $"var mark = LedgerCell.Begin();\n{line}\nOwnClocks.{row.Name}.End(mark);" : line);
    }

    private static string Fill(string code, bool isAsync, string body) => code
        .Replace("$BODY", body, StringComparison.Ordinal)
        .Replace("$ASYNC", isAsync ? "async " : "", StringComparison.Ordinal)
        .Replace("$RETURNS", isAsync ? "Task<string>" : "string", StringComparison.Ordinal);
}
