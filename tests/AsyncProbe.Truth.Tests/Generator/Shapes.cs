namespace AsyncProbe.Truth.Tests.Generator;

/// <summary>Where code stands in ASP.NET Core applications. The plan draws from this order: another one makes other rows.</summary>
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
