using AsyncProbe.Runtimes;

// "listen PIPE" instead: another process behind a pipe.
if (args is ["listen", var pipe])
{
    await PipeListener.RunAsync(pipe);
    return 0;
}

return await TestRun.RunAsync(args, Console.Out);
