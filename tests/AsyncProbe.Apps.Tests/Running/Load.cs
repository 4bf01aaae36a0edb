using System.Collections.Concurrent;

namespace AsyncProbe.Apps.Tests.Running;

/// <summary>Sends requests, counts them, and keeps one answer in ten.</summary>
internal sealed class Load(HttpClient client)
{
    private readonly ConcurrentDictionary<string, long> _sent = new();
    private readonly ConcurrentQueue<AnsweredRequest> _answers = new();

    public IReadOnlyDictionary<string, long> Sent => _sent;

    public IReadOnlyList<AnsweredRequest> Answers => [.. _answers];

    /// <summary>One client and then four, on each endpoint separately; then 32 on all of them at once; then four again.</summary>
    public async Task RunAsync(IReadOnlyList<Call> calls)
    {
        foreach (var call in calls)
        {
            await SendAsync([call], clients: 1, each: Some(12, call));
            await SendAsync([call], clients: 4, each: Some(6, call));
        }

        await SendAsync(calls, clients: 32, each: 3);

        // In Production an endpoint is watched once it has been seen to block, a few requests at a time.
        foreach (var call in calls)
        {
            await SendAsync([call], clients: 4, each: Some(4, call));
        }
    }

    public async Task<HttpResponseMessage> SendAsync(Call call)
    {
        using var request = call.ToRequest();
        var response = await client.SendAsync(request);
        var count = Count(call.Endpoint);
        if (count % 10 == 1)
        {
            _answers.Enqueue(AnsweredRequest.From(call.Endpoint, response));
        }

        if (response.StatusCode != call.Status)
        {
            throw new InvalidOperationException(
                $"{call.Method} {call.Path} answered {(int)response.StatusCode}, "
                    + $"expected {(int)call.Status}: {await response.Content.ReadAsStringAsync()}");
        }

        return response;
    }

    /// <summary>Counts a request that this load didn't send: one from the application itself or from a hub's client.</summary>
    public long Count(string endpoint) => _sent.AddOrUpdate(endpoint, 1, static (_, count) => count + 1);

    private static int Some(int requests, Call call) => Math.Max(1, (int)(requests * call.Share));

    private Task SendAsync(IReadOnlyList<Call> calls, int clients, int each) =>
        Task.WhenAll(Enumerable.Range(0, clients).Select(client => SendOneByOneAsync(calls, client, each)));

    private async Task SendOneByOneAsync(IReadOnlyList<Call> calls, int client, int each)
    {
        for (var i = 0; i < each; i++)
        {
            // Each client starts with a different endpoint.
            using var _ = await SendAsync(calls[((client * each) + i) % calls.Count]);
        }
    }
}
