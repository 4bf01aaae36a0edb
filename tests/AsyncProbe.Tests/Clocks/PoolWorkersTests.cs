using System.Runtime.ExceptionServices;
using AsyncProbe.Clocks;

namespace AsyncProbe.Tests.Clocks;

public sealed class PoolWorkersTests
{
    private const int Looks = 200;

    // A thread that ended between the list and its name raised an exception: caught, but seen by tools that count a process's exceptions.
    [Fact]
    public void Workers_AreFoundWithoutAnException_WhileOtherThreadsEnd()
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        var isOver = false;
        var starter = new Thread(() =>
        {
            while (!Volatile.Read(ref isOver))
            {
                var shortLived = new Thread(static () => { });
                shortLived.Start();
                shortLived.Join();
            }
        });
        List<string> thrown = [];
        var looker = Environment.CurrentManagedThreadId;
        void Note(object? sender, FirstChanceExceptionEventArgs e)
        {
            if (Environment.CurrentManagedThreadId == looker)
            {
                thrown.Add(e.Exception.Message);
            }
        }

        starter.Start();
        AppDomain.CurrentDomain.FirstChanceException += Note;
        try
        {
            for (var i = 0; i < Looks; i++)
            {
                _ = PoolWorkers.FindIds();
            }
        }
        finally
        {
            AppDomain.CurrentDomain.FirstChanceException -= Note;
            Volatile.Write(ref isOver, true);
            starter.Join();
        }

        thrown.ShouldBeEmpty();
    }

    [Fact]
    public async Task Workers_AreFound_WhereverThePoolHasSome()
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        (await Task.Run(PoolWorkers.FindIds).WaitAsync(ProbedApp.Timeout)).ShouldNotBeNull().ShouldNotBeEmpty();
    }
}
