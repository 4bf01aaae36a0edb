using AsyncProbe.Runtimes;

return await TestRun.RunAsync(args, Console.Out);
