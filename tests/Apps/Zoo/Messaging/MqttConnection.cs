using MQTTnet;
using Zoo.Backends;

namespace Zoo.Messaging;

internal static class MqttConnection
{
    private static readonly MqttClientFactory s_factory = new();

    public static void Map(IEndpointRouteBuilder app)
    {
        // The server closes the connection after a while.
        // truth: GET /mqtt: asyncWillHelp
        app.MapGet("/mqtt", () =>
        {
            using var client = s_factory.CreateMqttClient();
            var options = s_factory.CreateClientOptionsBuilder().WithTcpServer("127.0.0.1", DeafBackend.Instance.Port).Build();
            try
            {
                client.ConnectAsync(options).Wait(); // blocks: Task.Wait, for 15 ms
                return "connected";
            }
            catch (AggregateException)
            {
                return "down";
            }
        });
    }
}
