using System.Runtime.Versioning;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests;

namespace AsyncProbe.Tests.Requests;

public sealed class ThreadSlotTests
{
    [Fact]
    [SupportedOSPlatform("linux")]
    public void Release_ClosesItsDescriptorOnce_ThoughTheNumberIsInUseAgain()
    {
        var path = Path.GetTempFileName();
        try
        {
            using var ours = File.OpenHandle(path);
            var number = (int)ours.DangerousGetHandle();
            var slot = new ThreadSlot(new ThreadIdentity(1, number), isPoolThread: true);
            slot.Release();
            ours.SetHandleAsInvalid();

            // The system returns the lowest free number. Another test may take it first, which works as well.
            using var others = File.OpenHandle(path, FileMode.Open, FileAccess.Read);
            slot.Release();

            RandomAccess.GetLength(others).ShouldBe(0);
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Fact]
    public async Task RemoveEnded_MayBeCalledByTwoWatchersAtOnce()
    {
        for (var round = 0; round < 20; round++)
        {
            var threads = Enumerable.Range(0, 20).Select(_ => new Thread(() => ThreadSlots.GetOrAdd())).ToList();
            threads.ForEach(t => t.Start());
            threads.ForEach(t => t.Join());
            await Task.WhenAll(Task.Run(ThreadSlots.RemoveEnded), Task.Run(ThreadSlots.RemoveEnded)).WaitAsync(ProbedApp.Timeout);
        }

        // All except the head, which stays so that slots can be added.
        ThreadSlots.RemoveEnded();
        ThreadSlots.All.Skip(1).Count(slot => !slot.IsThreadAlive).ShouldBe(0);
    }

    // A server may end a request in a flow that it never entered. The thread then knows only when some other request left it.
    [Fact]
    public async Task RequestLeaves_WhenItIsToldTo_OnAThreadThatRunsAnotherFlow()
    {
        var (leftAt, before) = await Task.Run(LeaveFromOutside).WaitAsync(ProbedApp.Timeout);

        (leftAt >= before).ShouldBeTrue();

        static (Timestamp LeftAt, Timestamp Before) LeaveFromOutside()
        {
            var other = new RequestProbe();
            ThreadSegments.Exit(other, ThreadSegments.Enter(other));
            var probe = new RequestProbe();
            var before = Timestamp.Now();
            return (ThreadSegments.Exit(probe, ExecutionContext.Capture()), before);
        }
    }
}
