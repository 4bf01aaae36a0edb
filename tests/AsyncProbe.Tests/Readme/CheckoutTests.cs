namespace AsyncProbe.Tests.Readme;

/// <summary>The README's example of a test that fails when someone adds <c>.Result</c>.</summary>
public sealed class CheckoutTests
{
    [Fact]
    public Task Checkout_DoesNotBlock() =>
        BlockingGuard.AssertNoBlockingAsync(() => new Checkout().RunAsync());

    private sealed class Checkout
    {
        private readonly TimeSpan _payment = TimeSpan.FromMilliseconds(20);

        public Task RunAsync() => Task.Delay(_payment);
    }
}
