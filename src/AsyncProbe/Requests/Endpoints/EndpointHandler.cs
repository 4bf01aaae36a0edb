using System.Reflection;
using System.Runtime.CompilerServices;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc.Controllers;
using Microsoft.AspNetCore.Mvc.RazorPages;

namespace AsyncProbe.Requests.Endpoints;

/// <summary>Finds the method that an endpoint runs.</summary>
internal static class EndpointHandler
{
    /// <summary>
    /// Null for request delegates, hubs, pages with several handlers, and anything else without a single method in its metadata.
    /// </summary>
    public static MethodInfo? Find(Endpoint endpoint)
    {
        // Checked by name, so that an app without controllers and pages never loads MVC.
        foreach (var item in endpoint.Metadata)
        {
            switch (item.GetType().FullName)
            {
                case "Microsoft.AspNetCore.Mvc.Controllers.ControllerActionDescriptor":
                    return OfAction(item);
                case "Microsoft.AspNetCore.Mvc.RazorPages.CompiledPageActionDescriptor":
                    return OfPage(item);
            }
        }

        return endpoint.Metadata.GetMetadata<MethodInfo>();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static MethodInfo? OfPage(object page) =>
        ((CompiledPageActionDescriptor)page).HandlerMethods is [var only] ? only.MethodInfo : null;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static MethodInfo OfAction(object action) => ((ControllerActionDescriptor)action).MethodInfo;
}
