using Microsoft.AspNetCore.Mvc.Controllers;

namespace AsyncProbe.Sample.Caching;

/// <summary>The tags by which a stored answer can be deleted: its controller and its action.</summary>
internal static class CacheTag
{
    public static string OfController(Type controller) => $"{controller.FullName}";

    public static string OfAction(Type controller, string method) => $"{controller.FullName}.{method}";

    public static IEnumerable<string> Of(Endpoint? endpoint) =>
        endpoint?.Metadata.GetMetadata<ControllerActionDescriptor>() is { } action
            ? [OfController(action.ControllerTypeInfo), OfAction(action.ControllerTypeInfo, action.MethodInfo.Name)]
            : [];
}
