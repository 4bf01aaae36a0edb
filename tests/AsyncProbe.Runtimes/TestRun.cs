using System.IO.Enumeration;
using System.Reflection;
using Xunit.Abstractions;
using Xunit.Sdk;

namespace AsyncProbe.Runtimes;

/// <summary>
/// Runs the tests of this program in this process. The usual runners need an installed runtime; here it is published with the tests.
/// </summary>
internal static class TestRun
{
    /// <param name="patterns">The names of the tests to run, with <c>*</c> for any text; empty for all of them.</param>
    /// <param name="output">Receives a line for each test, and the messages of failures.</param>
    /// <returns>The exit code: 0 when no test failed.</returns>
    public static async Task<int> RunAsync(string[] patterns, TextWriter output)
    {
        output.WriteLine($"runtime {Environment.Version}");
        using var framework = new XunitTestFramework(new Results(TextWriter.Null));
        var assembly = Assembly.GetExecutingAssembly();
        using var discoverer = framework.GetDiscoverer(Reflector.Wrap(assembly));
        var all = new Discovered();
        discoverer.Find(false, all, new Options());
        var cases = (await all.Cases.ConfigureAwait(false)).Where(test => IsWanted(test.DisplayName, patterns));
        using var executor = framework.GetExecutor(assembly.GetName());
        var results = new Results(output);
        executor.RunTests(cases, results, new Options { ["xunit.execution.DisableParallelization"] = true });
        var failed = await results.Failed.ConfigureAwait(false);
        output.WriteLine("finished");
        return failed == 0 ? 0 : 1;
    }

    private static bool IsWanted(string name, string[] patterns) =>
        patterns.Length == 0 || patterns.Any(pattern => FileSystemName.MatchesSimpleExpression(pattern, name, ignoreCase: false));

    private sealed class Options : Dictionary<string, object?>, ITestFrameworkDiscoveryOptions, ITestFrameworkExecutionOptions
    {
        public TValue GetValue<TValue>(string name) => TryGetValue(name, out var value) && value is TValue found ? found : default!;

        public void SetValue<TValue>(string name, TValue value) => this[name] = value;
    }

    private sealed class Discovered : LongLivedMarshalByRefObject, IMessageSink
    {
        private readonly List<ITestCase> _found = [];
        private readonly TaskCompletionSource<List<ITestCase>> _cases = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task<List<ITestCase>> Cases => _cases.Task;

        public bool OnMessage(IMessageSinkMessage message)
        {
            if (message is ITestCaseDiscoveryMessage discovered)
            {
                _found.Add(discovered.TestCase);
            }
            else if (message is IDiscoveryCompleteMessage)
            {
                _cases.TrySetResult(_found);
            }

            return true;
        }
    }

    private sealed class Results(TextWriter output) : LongLivedMarshalByRefObject, IMessageSink
    {
        private readonly TaskCompletionSource<int> _failed = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private int _count;

        public Task<int> Failed => _failed.Task;

        public bool OnMessage(IMessageSinkMessage message)
        {
            switch (message)
            {
                case ITestPassed passed:
                    output.WriteLine($"passed {passed.Test.DisplayName}");
                    break;
                case ITestFailed failed:
                    Fail(failed.Test.DisplayName, failed);
                    break;
                case ITestSkipped skipped:
                    _count++;
                    output.WriteLine($"failed {skipped.Test.DisplayName}: skipped, {skipped.Reason}");
                    break;
                case IErrorMessage or ITestClassCleanupFailure or ITestCollectionCleanupFailure or ITestCleanupFailure:
                    Fail(message.GetType().Name, (IFailureInformation)message);
                    break;
                case ITestAssemblyFinished:
                    _failed.TrySetResult(_count);
                    break;
            }

            return true;
        }

        private void Fail(string name, IFailureInformation why)
        {
            _count++;
            output.WriteLine($"failed {name}: {string.Join(" <- ", why.Messages)}\n{string.Join('\n', why.StackTraces)}");
        }
    }
}
