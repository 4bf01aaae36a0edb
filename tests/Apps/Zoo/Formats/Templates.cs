using Fluid;
using HandlebarsDotNet;
using Markdig;

namespace Zoo.Formats;

internal static class Templates
{
    private static readonly string[] s_goods = [.. Enumerable.Range(0, 6000).Select(i => $"good {i}")];
    private static readonly IFluidTemplate s_fluid = new FluidParser().Parse("{% for g in goods %}<li>{{ g | upcase }}</li>{% endfor %}");
    private static readonly HandlebarsTemplate<object, object> s_handlebars = Handlebars.Compile("{{#each goods}}<li>{{this}}</li>{{/each}}");
    private static readonly string s_markdown = string.Join('\n', s_goods.Select(g => $"* **{g}** costs `42`"));

    public static void Map(IEndpointRouteBuilder app)
    {
        // truth: GET /fluid: cpuBound
        app.MapGet("/fluid", () => s_fluid.Render(new TemplateContext(new { goods = s_goods })).Length);

        // truth: GET /handlebars: cpuBound|fine
        app.MapGet("/handlebars", () => s_handlebars(new { goods = s_goods }).Length);

        // truth: GET /markdig: cpuBound
        app.MapGet("/markdig", () => Markdown.ToHtml(s_markdown).Length);
    }
}
