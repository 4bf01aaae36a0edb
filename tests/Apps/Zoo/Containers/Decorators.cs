using Castle.DynamicProxy;

namespace Zoo.Containers;

public static class Decorators
{
    private static readonly ServiceProvider s_services = new ServiceCollection()
        .AddTransient<IPrices, Prices>().Decorate<IPrices, TaxedPrices>().BuildServiceProvider();

    private static readonly IPrices s_proxy = new ProxyGenerator().CreateInterfaceProxyWithTarget<IPrices>(new Prices(), new Waiter());

    public static void Map(IEndpointRouteBuilder app)
    {
        // The constructor of the decorator waits.
        // truth: GET /scrutor: asyncWillHelp
        app.MapGet("/scrutor", () => s_services.GetRequiredService<IPrices>().Find()); // calls: Decorators.TaxedPrices.ctor

        // The interceptor waits.
        // truth: GET /castle: asyncWillHelp
        app.MapGet("/castle", () => s_proxy.Find()); // calls: Decorators.Waiter.Intercept
    }

    public interface IPrices
    {
        int Find();
    }

    private sealed class Prices : IPrices
    {
        public int Find() => 42;
    }

    private sealed class TaxedPrices : IPrices
    {
        private readonly IPrices _prices;
        private readonly int _tax;

        public TaxedPrices(IPrices prices)
        {
            _prices = prices;
            _tax = LoadTaxAsync().Result; // blocks: Task.Result, in Decorators.TaxedPrices.ctor, from /scrutor, for 15 ms
        }

        public int Find() => _prices.Find() + _tax;

        private static async Task<int> LoadTaxAsync()
        {
            await Task.Delay(15);
            return 19;
        }
    }

    private sealed class Waiter : IInterceptor
    {
        public void Intercept(IInvocation invocation)
        {
            Task.Delay(15).Wait(); // blocks: Task.Wait, in Decorators.Waiter.Intercept, from /castle, for 15 ms
            invocation.Proceed();
        }
    }
}
