namespace Warehouse.Modules;

/// <summary>A part of the application with its own services, middleware and endpoints.</summary>
public abstract class Module
{
    public abstract void AddServices(IServiceCollection services);

    public virtual void Use(IApplicationBuilder app)
    {
    }

    public abstract void Map(IEndpointRouteBuilder app);
}
