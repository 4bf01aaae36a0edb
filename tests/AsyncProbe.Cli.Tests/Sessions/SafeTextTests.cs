using System.Diagnostics;
using System.Reflection;
using System.Text.RegularExpressions;
using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Tests.Sessions;

public class SafeTextTests
{
    [Theory]
    [InlineData("X-Auth: hush-hush", "X-Auth: ***")]
    [InlineData("x-amz-auth: hush", "x-amz-auth: ***")]
    [InlineData("GET /a?otp=123456&pin=1234&page=2", "GET /a?otp=***&pin=***&page=2")]
    [InlineData("{\"pin\": \"1234\", \"shipping\": \"fast\"}", "{\"pin\": ***, \"shipping\": \"fast\"}")]
    [InlineData("<user><password>hush</password></user>", "<user><password>***</password></user>")]
    [InlineData("<wsse:Password Type=\"t\">hush</wsse:Password>", "<wsse:Password Type=\"t\">***</wsse:Password>")]
    [InlineData("<pin>1234</pin><spin>1</spin>", "<pin>***</pin><spin>1</spin>")]
    [InlineData("shipping=1&mapping=2", "shipping=1&mapping=2")]
    [InlineData("TokenPinning.cs:42", "TokenPinning.cs:42")]
    public void ShortNamesOfSecrets_AreMasked_AndWordsThatHoldThemAreNot(string text, string masked) => SafeText.From(text).ShouldBe(masked);

    [Fact]
    public void Tags_AreNoText() => SafeText.From("a\U000E0041b😀").ShouldBe("a\uFFFDb😀");

    [Theory]
    [InlineData("http://me:pw@host/x?access_token=abc&page=2", "http://***@host/x?access_token=***&page=2")]
    [InlineData("https://me:p@ss:w@host/", "https://***@host/")]
    [InlineData("/x;token=abc", "/x;token=***")]
    [InlineData("refused: Bearer abcdefghi", "refused: Bearer ***")]
    [InlineData("Login with password=hunter2 as me", "Login with password=*** as me")]
    [InlineData("Login, password: hunter2", "Login, password: ***")]
    [InlineData("Cookie: a=1; b=2", "Cookie: ***")]
    [InlineData("{\"token\":\"abc def\"}", "{\"token\":***}")]
    [InlineData("dotnet run --api-key abc --urls http://x", "dotnet run --api-key *** --urls http://x")]
    [InlineData("DB_PASSWORD=abc dotnet run", "DB_PASSWORD=*** dotnet run")]
    [InlineData("Host=db;Username=me;Password=abc;Port=1", "Host=db;Username=me;Password=***;Port=1")]
    public void Secret_IsMasked(string text, string safe) => SafeText.From(text).ShouldBe(safe);

    [Theory]
    [InlineData("TokenStore.Load (TokenStore.cs:42)")]
    [InlineData("GET /oauth/token: Await the call.")]
    [InlineData("POST /Cookie/{id}")]
    [InlineData("GET /x?page=2&size=10")]
    [InlineData("p(95)<500")]
    [InlineData("\u00e9l\u00e8ve \U0001F600 \u4e2d\u6587")]
    public void Text_StaysAsItIs_WhenNothingInItIsSecretOrHostile(string text) => SafeText.From(text).ShouldBe(text);

    [Theory]
    [InlineData("a\u001b[2Jb", "a\uFFFD[2Jb")]
    [InlineData("a\u009b31mb", "a\uFFFD31mb")]
    [InlineData("a\r\nb\tc\u0000", "a  b c\uFFFD")]
    [InlineData("abc\rxyz", "abc\uFFFDxyz")]
    [InlineData("a\u202Ecod.exe\u2066\u200F", "a\uFFFDcod.exe\uFFFD\uFFFD")]
    [InlineData("a\u2028b\uFFFE", "a\uFFFDb\uFFFD")]
    public void ControlCharacter_IsReplaced(string text, string safe) => SafeText.From(text).ShouldBe(safe);

    [Fact]
    public void HalfAPair_IsReplaced() => SafeText.From("a" + (char)0xD800 + "b" + (char)0xDC00).ShouldBe("a\uFFFDb\uFFFD");

    [Fact]
    public void Text_IsCutAfterMasking_WhenItIsEndless()
    {
        var safe = SafeText.From(new string('x', 1990) + " password=hunter2 " + new string('y', 100_000));

        safe.Length.ShouldBeLessThan(2010);
        safe.ShouldNotContain("hun");
    }

    /// <summary>A quadratic expression needs minutes for each of these; a linear one needs milliseconds.</summary>
    [Fact]
    public void Expressions_AreLinear_AllOfTheAssembly()
    {
        var all = Expressions().ToList();
        all.Count.ShouldBeGreaterThan(10);
        string[] parts =
        [
            ";",
            "&a",
            "=",
            "{{",
            "{{ ",
            "{{a ",
            " ",
            "%a",
            "-",
            "-\n",
            "- ",
            "\r\n",
            "://",
            "://a",
            "@",
            "password",
            "password ",
            "token=",
            "token: ",
            "\"",
            "a:",
            "bearer ",
            "cookie:",
            " --token",
            "name[",
            "p(1",
        ];

        foreach (var (name, expression) in all)
        {
            foreach (var part in parts)
            {
                var text = string.Concat(Enumerable.Repeat(part, 100_000)) + "\u0001";
                var began = Stopwatch.GetTimestamp();
                expression.Count(text);
                Stopwatch.GetElapsedTime(began).TotalSeconds.ShouldBeLessThan(10, $"{name} on {part}");
            }
        }
    }

    [Fact]
    public void Masking_IsLinear_OnSemicolons()
    {
        var began = Stopwatch.GetTimestamp();
        SafeText.Lines("?token" + new string(';', 1_000_000));
        Stopwatch.GetElapsedTime(began).TotalSeconds.ShouldBeLessThan(10);
    }

    private static IEnumerable<(string Name, Regex Expression)> Expressions()
    {
        const BindingFlags Static = BindingFlags.Static | BindingFlags.NonPublic | BindingFlags.Public | BindingFlags.DeclaredOnly;
        foreach (var type in typeof(SafeText).Assembly.GetTypes()
            .Where(type => type.Namespace?.StartsWith("AsyncProbe", StringComparison.Ordinal) == true))
        {
            foreach (var field in type.GetFields(Static).Where(field => field.FieldType == typeof(Regex)))
            {
                yield return ($"{type.Name}.{field.Name}", (Regex)field.GetValue(null)!);
            }

            foreach (var method in type.GetMethods(Static)
                .Where(method => method.ReturnType == typeof(Regex) && method.GetParameters().Length == 0))
            {
                yield return ($"{type.Name}.{method.Name}", (Regex)method.Invoke(null, null)!);
            }
        }
    }
}
