using System.Text;
using System.Text.Json;

namespace AsyncProbe.Tests.Shared;

/// <summary>
/// Speaks SignalR's JSON protocol over long polling: each message is a POST, and the hub's messages are the answer to a GET that waits for
/// them.
/// </summary>
internal sealed class PollingHubClient : IAsyncDisposable
{
    private const char Separator = '\u001e';
    private const int Completion = 3;

    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(60);

    private readonly HttpClient _http;
    private readonly Uri _connection;
    private readonly Queue<string> _messages = new();
    private int _calls;

    private PollingHubClient(HttpClient http, Uri connection) => (_http, _connection) = (http, connection);

    public static async Task<PollingHubClient> ConnectAsync(Uri application, string path)
    {
        var http = new HttpClient { BaseAddress = application, Timeout = s_timeout };
        using var negotiated = await http.PostAsync(new Uri($"{path}/negotiate?negotiateVersion=1", UriKind.Relative), null);
        using var answer = JsonDocument.Parse(await negotiated.EnsureSuccessStatusCode().Content.ReadAsStringAsync());
        var token = answer.RootElement.GetProperty("connectionToken").GetString()!;
        var client = new PollingHubClient(http, new Uri($"{path}?id={Uri.EscapeDataString(token)}", UriKind.Relative));

        // The answer to the first poll only confirms that the client polls.
        (await client.PollAsync()).ShouldBeEmpty();
        await client.SendAsync("""{"protocol":"json","version":1}""");
        (await client.ReceiveAsync()).ShouldBe("{}");
        return client;
    }

    public async Task<int> InvokeAsync(string method, int argument)
    {
        var id = (++_calls).ToString(System.Globalization.CultureInfo.InvariantCulture);
        await SendAsync(JsonSerializer.Serialize(new { type = 1, invocationId = id, target = method, arguments = new[] { argument } }));
        while (true)
        {
            using var message = JsonDocument.Parse(await ReceiveAsync());
            var root = message.RootElement;
            if (root.GetProperty("type").GetInt32() == Completion && root.GetProperty("invocationId").GetString() == id)
            {
                root.TryGetProperty("error", out var error).ShouldBeFalse(error.ToString());
                return root.GetProperty("result").GetInt32();
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        using var ended = await _http.DeleteAsync(_connection);
        _http.Dispose();
    }

    private async Task SendAsync(string message)
    {
        using var content = new StringContent(message + Separator, Encoding.UTF8);
        using var sent = await _http.PostAsync(_connection, content);
        sent.EnsureSuccessStatusCode();
    }

    private async Task<string> ReceiveAsync()
    {
        while (_messages.Count == 0)
        {
            foreach (var message in (await PollAsync()).Split(Separator, StringSplitOptions.RemoveEmptyEntries))
            {
                _messages.Enqueue(message);
            }
        }

        return _messages.Dequeue();
    }

    private async Task<string> PollAsync()
    {
        using var answer = await _http.GetAsync(_connection);
        return await answer.EnsureSuccessStatusCode().Content.ReadAsStringAsync();
    }
}
