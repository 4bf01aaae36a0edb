using AutoMapper;
using FluentValidation;
using Mapster;

namespace Zoo.Formats;

internal static partial class Mappers
{
    private static readonly Good[] s_goods = [.. Enumerable.Range(0, 2000).Select(i => new Good { Name = $"good {i}", Stock = i })];
    private static readonly IMapper s_autoMapper = new MapperConfiguration(c => c.CreateMap<Good, Row>()).CreateMapper();
    private static readonly GoodValidator s_validator = new();

    public static void Map(IEndpointRouteBuilder app)
    {
        // truth: GET /mapster: fine|cpuBound
        app.MapGet("/mapster", () => s_goods.Adapt<Row[]>().Length);

        // truth: GET /automapper: fine|cpuBound
        app.MapGet("/automapper", () => s_autoMapper.Map<Row[]>(s_goods).Length);

        // truth: GET /mapperly: fine|cpuBound
        app.MapGet("/mapperly", () => s_goods.Select(ToRow).ToList().Count);

        // A validator asks a service, and the application waits for it.
        // truth: GET /fluentvalidation: asyncWillHelp
        app.MapGet("/fluentvalidation", () => s_validator.ValidateAsync(s_goods[1]).Result.IsValid); // blocks: Task.Result, for 15 ms
    }

    [Riok.Mapperly.Abstractions.Mapper]
    internal static partial class Generated
    {
        public static partial Row ToRow(Good good);
    }

    private static Row ToRow(Good good) => Generated.ToRow(good);

    public sealed class Good
    {
        public string Name { get; set; } = "";

        public int Stock { get; set; }
    }

    public sealed class Row
    {
        public string Name { get; set; } = "";

        public int Stock { get; set; }
    }

    private sealed class GoodValidator : AbstractValidator<Good>
    {
        public GoodValidator()
        {
            RuleFor(g => g.Name).NotEmpty();
            RuleFor(g => g.Stock).MustAsync(async (_, cancellation) =>
            {
                await Task.Delay(15, cancellation);
                return true;
            });
        }
    }
}
