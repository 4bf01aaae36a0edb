namespace AsyncProbe.Truth.Tests.Generator;

/// <summary>The places of code in ASP.NET Core applications. The plan draws in this order, so reordering gives different rows.</summary>
internal static class Shapes
{
    public static IReadOnlyList<Shape> All { get; } =
    [
        .. MinimalShapes.All,
        .. ControllerShapes.All,
        .. PipelineShapes.All,
        .. ServiceShapes.All,
        .. ResponseShapes.All,
        .. CalledShapes.All,
        .. FlowShapes.All,
        .. HandlerShapes.All,
    ];
}
