namespace AsyncProbe.Fleet.Tests;

/// <summary>Programs from npm packages that validate the files in deploy.</summary>
internal static class TypeCheck
{
    /// <summary>Fails if a document does not have the type that a package declares, or has an additional field.</summary>
    /// <param name="documents">A package's module, the type in it, and the document as JSON.</param>
    public static Task CompileAsync(params IReadOnlyList<(string Module, string Type, string Json)> documents) =>
        InFolderAsync("document.ts", Source(documents), (root, file) => Tool.RunAsync(
            Path.Combine(root, "typescript", "bin", "tsc"),
            ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--moduleResolution", "nodenext", "--target", "es2022",
                file]));

    /// <summary>Fails if a document doesn't match a package's JSON schema.</summary>
    public static Task ValidateAsync(string schema, string json) =>
        InFolderAsync("validate.cjs", $$"""
            const Ajv = require('ajv').default;
            const plain = (key, value) => key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value;
            const schema = JSON.parse(JSON.stringify(require('{{schema}}')), plain);
            const formats = { duration: true, ports: true, expose: true, subnet_ip_address: true };
            const check = new Ajv({ allErrors: true, strict: false, formats }).compile(schema);
            if (!check({{json}})) {
              console.error(check.errors.map(e => e.instancePath + ' ' + e.message + ' ' + JSON.stringify(e.params)).join('\n'));
              process.exit(1);
            }
            """, (_, file) => Tool.RunAsync("node", [file]));

    // JSON contains the texts of enumerations, not their names.
    private static string Source(IReadOnlyList<(string Module, string Type, string Json)> documents) => string.Concat(
        documents.Select((document, i) =>
            $"import type {{ {document.Type} as Type{i} }} from '{document.Module}';\n"
            + $"export const document{i}: Plain<Type{i}> = {document.Json};\n")) + """
        type Plain<T> = T extends string ? `${T}` : T extends number | boolean | null | undefined ? T
          : T extends (infer U)[] ? Plain<U>[] : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
        """;

    private static async Task InFolderAsync(string name, string text, Func<string, string, Task> run)
    {
        var root = (await Tool.RunAsync("npm", ["root", "--global"])).Trim();
        var folder = Directory.CreateTempSubdirectory("asyncprobe-deploy-");
        try
        {
            Directory.CreateSymbolicLink(Path.Combine(folder.FullName, "node_modules"), root);
            var file = Path.Combine(folder.FullName, name);
            await File.WriteAllTextAsync(file, text);
            await run(root, file);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }
}
