using Microsoft.AspNetCore.Mvc.ModelBinding;

namespace Bookshop.Services;

internal sealed class OrderBinder : IModelBinder
{
    public Task BindModelAsync(ModelBindingContext bindingContext)
    {
        ArgumentNullException.ThrowIfNull(bindingContext);
        Task.Delay(15).Wait(); // blocks: binder
        bindingContext.Result = ModelBindingResult.Success(new Order("4711"));
        return Task.CompletedTask;
    }
}
