using AsyncProbe.StackSnapshots.Runtimes;

namespace AsyncProbe.StackSnapshots.Tests;

/// <summary>A read from a pipe can't time out, so this asks before it reads.</summary>
[Trait("Category", "Logic")]
public sealed class PatientStreamTests
{
    [Fact]
    public void Read_WaitsUntilThereIsSomething()
    {
        using var inner = new MemoryStream([1, 2, 3]);
        var asked = 0;
        using var stream = new PatientStream(inner, () => ++asked == 5, TimeSpan.FromMinutes(1));

        var read = stream.Read(new byte[10]);

        (read, asked, inner.Position).ShouldBe((3, 5, 3));
    }

    [Fact]
    public void Read_GivesUp_WhenNothingComes()
    {
        using var inner = new MemoryStream([1, 2, 3]);
        using var stream = new PatientStream(inner, () => false, TimeSpan.FromMilliseconds(20));

        Should.Throw<IOException>(() => stream.Read(new byte[10])).Message.ShouldBe("nothing came within 0.02 s.");

        inner.Position.ShouldBe(0);
    }

    [Fact]
    public void Runtime_IsGivenUp_WhenItTakesTheRequestAndIsSilent()
    {
        using var inner = new MemoryStream();
        using var stream = new PatientStream(inner, () => false, TimeSpan.FromMilliseconds(20));

        Should.Throw<IOException>(() => RuntimeServer.EnsureAnswers(stream)).Message
            .ShouldBe("the runtime does not answer: nothing came within 0.02 s.");

        inner.ToArray()[..14].ShouldBe("DOTNET_IPC_V1\0"u8.ToArray());
    }

    [Fact]
    public void Runtime_IsGivenUp_WhenItEndsTheConnectionWithoutAnAnswer()
    {
        using var inner = new MemoryStream();
        using var stream = new PatientStream(inner, () => true, TimeSpan.FromMinutes(1));

        Should.Throw<IOException>(() => RuntimeServer.EnsureAnswers(stream)).Message.ShouldStartWith("the runtime does not answer: ");
    }

    [Fact]
    public void End_OfTheInnerStream_IsTheEnd()
    {
        using var inner = new MemoryStream();
        using var stream = new PatientStream(inner, () => true, TimeSpan.FromMinutes(1));

        stream.Read(new byte[10]).ShouldBe(0);
        stream.Dispose();

        inner.CanRead.ShouldBeFalse("the pipe is closed with it");
    }
}
