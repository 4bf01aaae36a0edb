using System.Linq.Dynamic.Core;
using AngleSharp.Html.Parser;
using Bogus;
using DynamicExpresso;
using ICSharpCode.SharpZipLib.GZip;
using Jint;
using Microsoft.IdentityModel.JsonWebTokens;
using Microsoft.IdentityModel.Tokens;
using NCalc;
using QRCoder;
using SixLabors.ImageSharp;
using SixLabors.ImageSharp.PixelFormats;
using SixLabors.ImageSharp.Processing;

namespace Zoo.Computing;

/// <summary>Libraries that compute. Nothing in here waits.</summary>
internal static class Computations
{
    private static readonly string s_html = "<ul>" + string.Concat(Enumerable.Range(0, 1500).Select(i => $"<li><b>{i}</b></li>")) + "</ul>";
    private static readonly byte[] s_bytes = [.. Enumerable.Range(0, 200_000).Select(i => (byte)(i * i / 7))];
    private static readonly SigningCredentials s_key = new(new SymmetricSecurityKey(new byte[64]), SecurityAlgorithms.HmacSha256);

    public static void Map(IEndpointRouteBuilder app)
    {
        // truth: GET /bcrypt: cpuBound
        app.MapGet("/bcrypt", () => BCrypt.Net.BCrypt.HashPassword("secret", workFactor: 6).Length);

        // truth: GET /imagesharp: cpuBound
        app.MapGet("/imagesharp", () =>
        {
            using var image = new Image<Rgba32>(400, 300);
            image.Mutate(i => i.GaussianBlur(3).Resize(100, 75)); // blocks: Task.Wait, perhaps
            return image.Width;
        });

        // truth: GET /jint: cpuBound
        app.MapGet("/jint", () => new Engine().Evaluate("let s = 0; for (let i = 0; i < 20000; i++) s += i; s").AsNumber());

        // truth: GET /ncalc: cpuBound|fine
        app.MapGet("/ncalc", () =>
        {
            var sum = 0.0;
            for (var i = 0; i < 300; i++)
            {
                sum += Convert.ToDouble(new NCalc.Expression($"Sqrt({i}) + {i} * 2").Evaluate()); // blocks: Lock, perhaps; Lock, by NCalc.Core, perhaps
            }

            return sum;
        });

        // Compiles code: the runtime itself sometimes waits while it does.
        // truth: GET /dynamicexpresso: cpuBound
        app.MapGet("/dynamicexpresso", () =>
        {
            var interpreter = new Interpreter();
            var sum = 0;
            for (var i = 0; i < 20; i++)
            {
                sum += interpreter.Eval<int>($"{i} * 2 + 1"); // blocks: Lock, by System.Linq.Expressions, perhaps
            }

            return sum;
        });

        // truth: GET /dynamiclinq: cpuBound
        app.MapGet("/dynamiclinq", () => Enumerable.Range(2, 10).Sum(
            // The parser's cache and the compiler of expressions lock for a moment.
            n => Enumerable.Range(0, 1000).AsQueryable().Where($"it % {n} == 0 && it > 10").Count())); // blocks: Lock, by System.Collections.Concurrent, perhaps; Lock, by System.Linq.Expressions, perhaps

        // truth: GET /sharpziplib: cpuBound
        app.MapGet("/sharpziplib", () =>
        {
            using var packed = new MemoryStream();
            using (var gzip = new GZipOutputStream(packed))
            {
                gzip.Write(s_bytes);
            }

            return packed.ToArray().Length;
        });

        // truth: GET /bogus: cpuBound
        app.MapGet("/bogus", () =>
        {
            var faker = new Faker();
            return faker.Make(300, _ => faker.Name.FullName()).Count; // blocks: Lock, by Bogus, perhaps
        });

        // truth: GET /qrcoder: cpuBound
        app.MapGet("/qrcoder", () =>
        {
            using var generator = new QRCodeGenerator();
            using var code = generator.CreateQrCode(new string('x', 800), QRCodeGenerator.ECCLevel.Q);
            return new PngByteQRCode(code).GetGraphic(10).Length;
        });

        // truth: GET /anglesharp: cpuBound
        app.MapGet("/anglesharp", () => new HtmlParser().ParseDocument(s_html).QuerySelectorAll("li > b").Length);

        // truth: GET /jwt: fine|cpuBound
        app.MapGet("/jwt", () => new JsonWebTokenHandler().CreateToken(new SecurityTokenDescriptor { Issuer = "zoo", SigningCredentials = s_key }).Length);
    }
}
