using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Tests.Blocking.Stacks;
using static AsyncProbe.Tests.Blocking.Stacks.HandMadeStacks;

namespace AsyncProbe.Tests.Blocking.Methods;

/// <summary>Methods that can be unloaded, that are generated at run time, and that reference missing types.</summary>
public sealed class PassingMethodsTests
{
    private const string Plugin = "Passing.Plugin";

    [Fact]
    public void Plugin_IsUnloaded_ThoughItsFrameHasBlocked()
    {
        var sites = new BlockingSites(10, new AllowRules([]));
        var plugin = Block(sites);

        for (var i = 0; i < 50 && plugin.IsAlive; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        plugin.IsAlive.ShouldBeFalse();
        var site = sites.Read().ShouldHaveSingleItem();
        site.Text.ShouldBe("Worker.Wait");
        site.ShortStack.ShouldContain("Worker.Wait");
    }

    [Fact]
    public void Site_StaysOne_AfterTwentyThousandOtherMethods()
    {
        var frames = new Frames(UserCode.Create([typeof(HandMadeStacks).Assembly.GetName().Name!]));
        var sites = new BlockingSites(1, new AllowRules([]));
        for (var i = 0; i < 20_001; i++)
        {
            frames.Get(new DynamicMethod("made" + i, null, null));
        }

        Note(sites, frames, Own);
        Note(sites, frames, Own);

        sites.Overflowed.ShouldBe(0);
        sites.Read().ShouldHaveSingleItem().Count.ShouldBe(2);
        new Frames(UserCode.Create(["other"])).Get(Own).ShouldBe(frames.Get(Own));
    }

    [Fact]
    public void MethodWithAMissingType_IsASiteLikeAnyOther()
    {
        var context = new AssemblyLoadContext("missing", isCollectible: true);
        var method = Worker(Load(context, withMissingType: true), "Missing");
        Should.Throw<Exception>(() => method.GetParameters()[0].ParameterType.ToString());
        var frames = new Frames(UserCode.Create([Plugin]));
        var sites = new BlockingSites(10, new AllowRules([]));

        Note(sites, frames, method);

        var site = sites.Read().ShouldHaveSingleItem();
        site.Text.ShouldBe("Worker.Missing");
        site.Kind.ShouldBe(WaitKind.TaskWait);
        site.ShortStack.ShouldContain("Worker.Missing");
        context.Unload();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference Block(BlockingSites sites)
    {
        var context = new AssemblyLoadContext("plugin", isCollectible: true);
        var frames = new Frames(UserCode.Create([Plugin]));
        Note(sites, frames, Worker(Load(context, withMissingType: false), "Wait"));
        context.Unload();
        return new WeakReference(context);
    }

    private static MethodInfo Worker(Assembly plugin, string method) => plugin.GetType("Worker")!.GetMethod(method)!;

    // A wait for a task, inside the method.
    private static void Note(BlockingSites sites, Frames frames, MethodBase method)
    {
        var stack = Of(Method(typeof(Task), nameof(Task.Wait)), method);
        var site = sites.GetOrAdd(BlameFrame.Find(stack, frames, handler: null)!, null, stack, frames);
        site.Add(1.Ns(), "GET /x");
    }

    private static Assembly Load(AssemblyLoadContext context, bool withMissingType)
    {
        var assembly = new PersistedAssemblyBuilder(new AssemblyName(Plugin), typeof(object).Assembly);
        var type = assembly.DefineDynamicModule(Plugin).DefineType("Worker", TypeAttributes.Public);
        Define(type, "Wait", []);
        if (withMissingType)
        {
            var absent = new PersistedAssemblyBuilder(new AssemblyName("Passing.Absent"), typeof(object).Assembly)
                .DefineDynamicModule("Passing.Absent").DefineType("Absent", TypeAttributes.Public);
            absent.CreateType();
            Define(type, "Missing", [absent]);
        }

        type.CreateType();
        using var image = new MemoryStream();
        assembly.Save(image);
        image.Position = 0;
        return context.LoadFromStream(image);
    }

    private static void Define(TypeBuilder type, string name, Type[] parameters) =>
        type.DefineMethod(name, MethodAttributes.Public | MethodAttributes.Static, typeof(void), parameters).GetILGenerator()
            .Emit(OpCodes.Ret);
}
