using Renci.SshNet;
using Renci.SshNet.Common;
using Zoo.Backends;

namespace Zoo.Http;

internal static class SshConnection
{
    public static void Map(IEndpointRouteBuilder app)
    {
        // The server closes the connection after a while.
        // truth: GET /sshnet: asyncWillHelp
        app.MapGet("/sshnet", () =>
        {
            using var client = new SshClient("127.0.0.1", DeafBackend.Instance.Port, "zoo", "zoo");
            try
            {
                client.Connect(); // blocks: SyncIO, for 15 ms; WaitHandle, perhaps
                return "connected";
            }
            catch (SshConnectionException)
            {
                return "down";
            }
        });
    }
}
