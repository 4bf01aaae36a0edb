using System.Text;
using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Tests.Sessions;

public class BodyBytesTests
{
    [Fact]
    public void Body_IsDecoded_WhenItIsBase64() => Bytes("b64_AAEC", "application/octet-stream").ShouldBe([0, 1, 2]);

    [Fact]
    public void Body_UsesTheCharsetOfItsContentType() => Bytes("é", "text/plain; charset=iso-8859-1; x=y").ShouldBe([0xE9]);

    [Theory]
    [InlineData("klingon")]
    [InlineData("utf-7")]
    public void Body_FallsBackToWindows1252_WhenTheCharsetIsUnknownOrUnsafe(string charset) =>
        Bytes("€", $"text/plain; charset={charset}").ShouldBe([0x80]);

    [Fact]
    public void Body_ExpandsTheBinaryPart_WhenItIsMultipart()
    {
        var body = "--x\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\nb64_AAEC\r\n--x--";

        var bytes = Bytes(body, "multipart/form-data; boundary=x");

        Encoding.Latin1.GetString(bytes).ShouldBe("--x\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\n\0\u0001\u0002\r\n--x--\r\n");
    }

    private static byte[] Bytes(string body, string type) =>
        BodyBytes.Encode(new SessionRequest { Verb = "POST", Url = "/", Headers = [new("Content-Type", type)] }, body).Bytes;
}
