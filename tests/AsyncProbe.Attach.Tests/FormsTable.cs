using System.Globalization;

namespace AsyncProbe.Attach.Tests;

/// <summary>
/// The table in docs/attach.md that shows in which forms attaching works: a line for each kind of application, a column for each form, and
/// the versions of .NET in the cells. The tests compare it with what they find, or write it when ATTACH_TABLE is "write".
/// </summary>
internal static class FormsTable
{
    private const string Begin = "<!-- FormTests writes this table -->";
    private const string End = "<!-- end of the table -->";
    private const string None = "no";
    private const string Separator = ", ";

    private static readonly Lock s_lock = new();
    private static readonly string s_document = Path.Combine(Repository.Folder, "docs", "attach.md");

    private static bool IsWritten => Environment.GetEnvironmentVariable("ATTACH_TABLE") == "write";

    /// <summary>Runs a test, and compares its outcome with the table.</summary>
    public static async Task CompareAsync(string application, Form form, Func<Task> test)
    {
        if (!IsWritten)
        {
            Versions(Read(), application, form).ShouldContain(form.Major, $"{application}, {form} in docs/attach.md");
            await test();
            return;
        }

        var works = false;
        try
        {
            await test();
            works = true;
        }
        finally
        {
            Write(application, form, works);
        }
    }

    private static void Write(string application, Form form, bool works)
    {
        lock (s_lock)
        {
            var table = Read();
            var versions = Versions(table, application, form).Except([form.Major]).Concat(works ? [form.Major] : []).Order().ToList();
            table[application][form.Name] = versions.Count == 0 ? None : string.Join(Separator, versions);
            var text = File.ReadAllText(s_document);
            var (begin, end) = (text.IndexOf(Begin, StringComparison.Ordinal) + Begin.Length, text.IndexOf(End, StringComparison.Ordinal));
            File.WriteAllText(s_document, text[..begin] + "\n" + Render(table) + text[end..]);
        }
    }

    private static List<int> Versions(Dictionary<string, Dictionary<string, string>> table, string application, Form form) =>
        table[application][form.Name] is not None and var cell
            ? [.. cell.Split(Separator).Select(version => int.Parse(version, CultureInfo.InvariantCulture))]
            : [];

    private static Dictionary<string, Dictionary<string, string>> Read()
    {
        var found = File.ReadLines(s_document).SkipWhile(line => line != Begin).TakeWhile(line => line != End)
            .Where(line => line.StartsWith('|')).Skip(2)
            .Select(line => line.Trim('|', ' ').Split(" | "))
            .ToDictionary(cells => cells[0], cells => cells[1..]);
        return FormTests.Applications.ToDictionary(
            application => application,
            application => Form.Names.Select((name, i) => (name, Cell: found.GetValueOrDefault(application)?.ElementAtOrDefault(i) ?? None))
                .ToDictionary(cell => cell.name, cell => cell.Cell));
    }

    private static string Render(Dictionary<string, Dictionary<string, string>> table) =>
        $"| application | {string.Join(" | ", Form.Names)} |\n|---|{string.Concat(Form.Names.Select(_ => "---|"))}\n"
            + string.Concat(table.Select(row => $"| {row.Key} | {string.Join(" | ", Form.Names.Select(name => row.Value[name]))} |\n"));
}
