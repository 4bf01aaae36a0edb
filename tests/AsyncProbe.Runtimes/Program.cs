using AsyncProbe.Runtimes;

// "listen PIPE" makes this the other process, behind a pipe.
if (args is ["listen", var pipe])
{
    await PipeListener.RunAsync(pipe);
    return 0;
}

return await TestRun.RunAsync(args, Console.Out);
