var gate = new ManualResetEventSlim();
var work = Task.Run(() =>
{
    Console.WriteLine("Application started");
    gate.Wait(); // blocks: console
    Console.WriteLine("Never printed. If the wait came last, optimized code would wait in the frame of the caller.");
});
await work;
