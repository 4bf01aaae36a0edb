using System.Security.Cryptography;
using AsyncProbe.Blocking.Sources;

namespace AsyncProbe.Tests.Blocking.Sources;

public sealed class SourceFileTests : IDisposable
{
    private readonly string _path = Path.GetTempFileName();

    public void Dispose() => File.Delete(_path);

    [Fact]
    public void Line_IsShown_WithoutItsIndentation()
    {
        Write("first\r\n    second;  \n\nfourth");
        var file = new SourceFile(_path, SHA256.HashData(File.ReadAllBytes(_path)));

        file.LineAt(2).ShouldBe("second;");
        file.LineAt(4).ShouldBe("fourth");
        file.LineAt(3).ShouldBeNull();
        file.LineAt(5).ShouldBeNull();
        file.LineAt(0).ShouldBeNull();
    }

    [Fact]
    public void Line_IsNotShown_WhenTheFileIsAnother()
    {
        Write("first");
        var hash = SHA256.HashData(File.ReadAllBytes(_path));
        Write("something else");

        new SourceFile(_path, hash).LineAt(1).ShouldBeNull();
        new SourceFile(_path, []).LineAt(1).ShouldBeNull();
        new SourceFile("/_/src/Orders.cs", hash).LineAt(1).ShouldBeNull();
    }

    private void Write(string text) => File.WriteAllText(_path, text);
}
