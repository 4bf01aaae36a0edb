using MailKit.Net.Smtp;
using MailKit.Security;
using MimeKit;
using Zoo.Backends;

namespace Zoo.Http;

internal static class MailKitSender
{
    public static void Map(IEndpointRouteBuilder app)
    {
        // truth: GET /mailkit: asyncWillHelp
        app.MapGet("/mailkit", () =>
        {
            using var client = new SmtpClient();
            client.Connect("127.0.0.1", SmtpBackend.Instance.Port, SecureSocketOptions.None); // blocks: SyncIO, perhaps; Task.GetResult, perhaps
            var answer = client.Send(Compose()); // blocks: SyncIO, for 15 ms
            client.Disconnect(quit: true); // blocks: SyncIO, perhaps
            return answer;
        });

        // truth: GET /mailkit/async: alreadyAsync|fine
        app.MapGet("/mailkit/async", async () =>
        {
            using var client = new SmtpClient();
            await client.ConnectAsync("127.0.0.1", SmtpBackend.Instance.Port, SecureSocketOptions.None);
            var answer = await client.SendAsync(Compose());
            await client.DisconnectAsync(quit: true);
            return answer;
        });
    }

    private static MimeMessage Compose() => new(
        [new MailboxAddress("Zoo", "zoo@example.org")], [new MailboxAddress("You", "you@example.org")], "Sold", new TextPart("plain") { Text = "42" });
}
