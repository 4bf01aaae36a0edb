namespace Warehouse.Modules.Inventory;

internal sealed class AuditMiddleware(RequestDelegate next)
{
    public Task InvokeAsync(HttpContext context)
    {
        Task.Run(WriteAsync).Wait(); // blocks: audit
        return next(context);
    }

    private static async Task WriteAsync() => await Task.Delay(12);
}
