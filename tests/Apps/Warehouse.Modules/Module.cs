namespace Warehouse.Modules;

/// <summary>A part of the application with services, middleware and endpoints of its own.</summary>
public abstract class Module
{
    public abstract void AddServices(IServiceCollection services);

    public virtual void Use(IApplicationBuilder app)
    {
    }

    public abstract void Map(IEndpointRouteBuilder app);
}
