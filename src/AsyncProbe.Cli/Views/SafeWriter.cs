using System.Text;

namespace AsyncProbe.Cli.Views;

/// <summary>Makes all text written to it safe.</summary>
internal sealed class SafeWriter(TextWriter inner, Func<string, string> makeSafe) : TextWriter
{
    public override Encoding Encoding => inner.Encoding;

    public override void Write(char value) => inner.Write(makeSafe(value.ToString()));

    public override void Write(string? value) => inner.Write(makeSafe(value ?? ""));

    public override void Write(char[] buffer, int index, int count) => Write(new string(buffer, index, count));

    public override void Write(ReadOnlySpan<char> buffer) => Write(buffer.ToString());

    public override void WriteLine() => inner.WriteLine();

    public override void WriteLine(string? value) => inner.WriteLine(makeSafe(value ?? ""));

    public override Task WriteAsync(string? value) => inner.WriteAsync(makeSafe(value ?? ""));

    public override Task WriteLineAsync(string? value) => inner.WriteLineAsync(makeSafe(value ?? ""));

    public override void Flush() => inner.Flush();

    public override Task FlushAsync() => inner.FlushAsync();
}
