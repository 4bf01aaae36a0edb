using System.Data;
using System.Reflection;
using System.Runtime.CompilerServices;
using AsyncProbe.Blocking.Code;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Rules;

namespace AsyncProbe.Blocking.Alternatives;

/// <summary>
/// Finds the provider that an endpoint probably waits in, where the wait hook saw no wait and nothing samples stacks: the only thing its
/// code calls that waits where the hook can't see it.
/// </summary>
internal sealed class ProvidersInCode(Frames frames)
{
    private const int MostMethods = 500;

    private static readonly SynchronousProvider s_none = SynchronousProvider.Database("");

    // Weak, so that a plugin's methods can be unloaded.
    private readonly ConditionalWeakTable<MethodBase, SynchronousProvider> _known = [];

    /// <summary>
    /// The provider; null if the code calls none or several, or if it also calls something else that may wait unseen. Any call of another
    /// library may, unless it gets the connection or the command to work with.
    /// </summary>
    public SynchronousProvider? Find(MethodBase? handler) =>
        handler is not null && _known.GetValue(handler, Search) is var known && known != s_none ? known : null;

    private SynchronousProvider Search(MethodBase handler)
    {
        try
        {
            return OnlyIn(handler) ?? s_none;
        }
        catch (Exception)
        {
            // The code refers to something that is missing.
            return s_none;
        }
    }

    private SynchronousProvider? OnlyIn(MethodBase handler)
    {
        SynchronousProvider? found = null;
        HashSet<MethodBase> seen = [handler];
        Queue<MethodBase> next = new(seen);
        while (next.TryDequeue(out var method))
        {
            foreach (var target in TargetsIn(method))
            {
                if (target.DeclaringType is { } type && SynchronousProviders.Find(type) is { IsDatabase: true } provider)
                {
                    if (found is not null && found != provider)
                    {
                        return null;
                    }

                    found = provider;
                }
                else if (frames.UserMethods.IsUserCode(target.Module.Assembly))
                {
                    RunsOf(target).Where(seen.Add).ToList().ForEach(next.Enqueue);
                }
                else if (seen.Count > MostMethods || MayWaitUnseen(target))
                {
                    return null;
                }
            }
        }

        return found;
    }

    // What a method calls, and the lambdas that it makes. The compiler moves the code of asynchronous methods and iterators elsewhere.
    private static IEnumerable<MethodBase> TargetsIn(MethodBase method)
    {
        var code = MethodCode.Get(SourceMethod.MovedTo<StateMachineAttribute>(method) ?? method);
        return code.Calls.Select(call => call.Target).Concat(code.Delegates.Select(made => made.Target));
    }

    private IEnumerable<MethodBase> RunsOf(MethodBase target) =>
        target is MethodInfo { IsVirtual: true } open ? frames.UserMethods.Overrides(open) : [target];

    private bool MayWaitUnseen(MethodBase target) =>
        Libraries.NameOf(target.Module.Assembly) is not null
            ? !target.GetParameters().Any(parameter => IsOfDatabase(parameter.ParameterType))
            : frames.Get(target).Kind is WaitKind.Sleep or WaitKind.Join or WaitKind.Process or WaitKind.Native or WaitKind.SyncIO
                or WaitKind.SyncHttp;

    private static bool IsOfDatabase(Type type) =>
        type.IsAssignableTo(typeof(IDbConnection)) || type.IsAssignableTo(typeof(IDbCommand))
            || type.IsAssignableTo(typeof(IDbTransaction));
}
