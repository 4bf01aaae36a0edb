using AsyncProbe.Runtimes;

return await TestRun.RunAsync(Console.Out);
