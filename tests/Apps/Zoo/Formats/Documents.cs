using System.Globalization;
using CsvHelper;
using HtmlAgilityPack;
using Newtonsoft.Json;

namespace Zoo.Formats;

/// <summary>Formats that are read and written in memory: that is only CPU work.</summary>
internal static class Documents
{
    private static readonly Good[] s_goods = [.. Enumerable.Range(0, 1500).Select(i => new Good { Name = $"good {i}", Stock = i })];
    private static readonly string s_html = "<ul>" + string.Concat(s_goods.Select(g => $"<li class='x'><b>{g.Name}</b> {g.Stock}</li>")) + "</ul>";

    public static void Map(IEndpointRouteBuilder app)
    {
        // truth: GET /newtonsoft: cpuBound
        app.MapGet("/newtonsoft", () => JsonConvert.DeserializeObject<Good[]>(JsonConvert.SerializeObject(s_goods))!.Length);

        // truth: GET /csvhelper: cpuBound
        app.MapGet("/csvhelper", () =>
        {
            using var text = new StringWriter();
            using var csv = new CsvWriter(text, CultureInfo.InvariantCulture);
            csv.WriteRecords(s_goods);
            return text.ToString().Length;
        });

        // truth: GET /htmlagilitypack: cpuBound
        app.MapGet("/htmlagilitypack", () =>
        {
            var document = new HtmlDocument();
            document.LoadHtml(s_html);
            return document.DocumentNode.SelectNodes("//li/b")!.Count;
        });
    }

    internal sealed class Good
    {
        public string Name { get; set; } = "";

        public int Stock { get; set; }
    }
}
