using System.Collections.Concurrent;

namespace AsyncProbe.Sample.Sins;

/// <summary>Waits for a free slot or an item.</summary>
internal static class SemaphoreSins
{
    public static int Slim(int ms)
    {
        var places = new SemaphoreSlim(0);
        Holder.After(ms, () => places.Release());
        places.Wait();
        return ms;
    }

    public static int Kernel(int ms)
    {
        var places = new Semaphore(0, 1);
        Holder.After(ms, () => places.Release());
        places.WaitOne();
        return ms;
    }

    public static int Take(int ms)
    {
        var items = new BlockingCollection<int>();
        Holder.After(ms, () => items.Add(ms));
        var item = items.Take();
        return item;
    }

    public static async Task SlimAsync(HttpContext context, int ms)
    {
        var places = new SemaphoreSlim(0);
        Holder.After(ms, () => places.Release());
        await places.WaitAsync();
    }

    public static int SlimFree(int ms)
    {
        var places = new SemaphoreSlim(1);
        places.Wait();
        return ms;
    }

    public static int SlimZero(int ms)
    {
        var places = new SemaphoreSlim(0);
        return places.Wait(0) ? 1 : 0;
    }

    public static int TakeFilled(int ms)
    {
        var items = new BlockingCollection<int> { ms };
        var item = items.Take();
        return item;
    }
}
