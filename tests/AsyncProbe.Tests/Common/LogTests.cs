using System.Reflection;
using AsyncProbe.Common;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.Tests.Common;

[Trait("Category", ApprovedTexts.Category)]
public sealed class LogTests
{
    private static readonly (string Name, LoggerMessageAttribute Message)[] s_messages =
        [.. typeof(Log).GetMethods(BindingFlags.Static | BindingFlags.Public | BindingFlags.DeclaredOnly)
            .Select(method => (method.Name, Message: method.GetCustomAttribute<LoggerMessageAttribute>()!))
            .Where(log => log.Message is not null)
            .OrderBy(log => log.Message.EventId)];

    [Fact]
    public void Messages_AreApproved()
    {
        var texts = new ApprovedTexts("AsyncProbe.Tests/Common/Log");
        foreach (var (name, message) in s_messages)
        {
            texts.Add($"{message.EventId} {message.EventName ?? name}, {message.Level}", message.Message);
        }

        texts.ShouldBeApproved();
    }

    [Fact]
    public void EventIds_AreDifferent() => s_messages.Select(log => log.Message.EventId).ShouldBeUnique();
}
