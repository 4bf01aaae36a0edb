using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;
using Zoo.Backends;

namespace Zoo.Messaging;

internal static class RabbitMqConnection
{
    private static readonly ConnectionFactory s_factory = new()
    {
        HostName = "127.0.0.1", Port = DeafBackend.Instance.Port, AutomaticRecoveryEnabled = false,
    };

    public static void Map(IEndpointRouteBuilder app)
    {
        // The server closes the connection after a while.
        // truth: GET /rabbitmq: asyncWillHelp
        app.MapGet("/rabbitmq", () =>
        {
            try
            {
                using var connection = s_factory.CreateConnectionAsync().GetAwaiter().GetResult(); // blocks: Task.GetResult, for 15 ms
                return "connected";
            }
            catch (BrokerUnreachableException)
            {
                return "down";
            }
        });
    }
}
