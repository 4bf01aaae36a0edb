using Microsoft.AspNetCore.Hosting.Server;

namespace AsyncProbe.Peers;

/// <summary>One connection, which reuses its features for each request.</summary>
internal sealed class LoopConnection<TContext>(IHttpApplication<TContext> application)
    where TContext : notnull
{
    private readonly LoopFeatures<TContext> _features = new();

    public async Task SendAsync(string path, int requests)
    {
        for (var i = 0; i < requests; i++)
        {
            await SendAsync(path);
        }
    }

    private async Task SendAsync(string path)
    {
        _features.Reset(path);
        var context = application.CreateContext(_features);
        Exception? thrown = null;
        try
        {
            await application.ProcessRequestAsync(context);
            await _features.Response.StartAsync();
        }
        catch (Exception e)
        {
            thrown = e;
        }

        await _features.Response.CompleteAsync();
        application.DisposeContext(context, thrown);
        if (thrown is not null || _features.Response.StatusCode != StatusCodes.Status200OK)
        {
            throw new InvalidOperationException($"{path} answered {_features.Response.StatusCode}.", thrown);
        }
    }
}
