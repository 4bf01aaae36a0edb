using System.Reflection;
using System.Runtime.CompilerServices;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc.Controllers;

namespace AsyncProbe.Requests;

/// <summary>Finds the method that an endpoint runs.</summary>
internal static class EndpointHandler
{
    /// <summary>Null for request delegates, hubs, pages and what else has no method of its own in the metadata.</summary>
    public static MethodInfo? Of(Endpoint endpoint)
    {
        // By name, so that an app without controllers never loads MVC.
        var action = endpoint.Metadata.FirstOrDefault(item => item.GetType().FullName == "Microsoft.AspNetCore.Mvc.Controllers.ControllerActionDescriptor");
        return action is null ? endpoint.Metadata.GetMetadata<MethodInfo>() : OfAction(action);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static MethodInfo OfAction(object action) => ((ControllerActionDescriptor)action).MethodInfo;
}
