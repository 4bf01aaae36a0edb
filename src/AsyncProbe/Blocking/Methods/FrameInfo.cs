using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Sources;

namespace AsyncProbe.Blocking.Methods;

/// <summary>The owner of a frame's code.</summary>
internal enum FrameOwner
{
    /// <summary>Application code.</summary>
    UserCode,

    /// <summary>The code that reports the wait. It is on top of every stack and never to blame.</summary>
    Hook,

    /// <summary>AsyncProbe's code, doing its own work.</summary>
    Probe,

    /// <summary>AsyncProbe's code where it calls the application. Waits further in are not AsyncProbe's.</summary>
    ProbeEntry,

    /// <summary>The runtime's core library, where waits end.</summary>
    Core,

    Library,
}

/// <summary>
/// What is known about a method, computed once. Two instances for the same method are equal. A method that can be unloaded, or was
/// generated at run time, is not kept alive. Its names are read at once, and an unloadable method is resolved again when its line is
/// needed.
/// </summary>
internal sealed class FrameInfo : IEquatable<FrameInfo>
{
    private const int MaxCalls = 100;

    private readonly MethodBase? _method;
    private readonly WeakReference<Module>? _module;

    // Weak, because a method generated at run time refers to what it calls. The framework's compiled call of an endpoint's method is an
    // example.
    private readonly WeakReference<MethodBase>? _made;
    private readonly int _token;
    private readonly int _hash;
    private readonly Lazy<FrameName> _name;

    // Created on first use: most frames are never asked.
    private ConcurrentDictionary<(FrameInfo Call, int Deepest), bool>? _calls;

    /// <param name="owner">The owner of its code.</param>
    /// <param name="kind">What it says about the kind of a wait beneath it.</param>
    public FrameInfo(MethodBase method, FrameOwner owner, WaitKind kind)
    {
        Owner = owner;
        Kind = kind;
        MethodName = method.Name;
        SourceName = SourceMethod.NameOf(method);
        IsConstructor = method is ConstructorInfo { IsStatic: false };
        HasType = method.DeclaringType is not null;
        IsPublic = method.IsPublic && method.DeclaringType is { IsVisible: true } type && !IsReporting(type);
        IsTypeStart = owner == FrameOwner.Core && KindNames.StartsTypes(method.DeclaringType?.FullName ?? "");
        IsAsyncStart = owner == FrameOwner.Core && KindNames.StartsAsyncMethods(method.DeclaringType?.FullName ?? "", method.Name);
        IsOfMvc = method.Module.Assembly.GetName().Name?.StartsWith("Microsoft.AspNetCore.Mvc.", StringComparison.Ordinal) == true;
        IsLogger = method.DeclaringType?.Namespace?.StartsWith("Microsoft.Extensions.Logging", StringComparison.Ordinal) == true;
        (IsTool, IsFramework) = owner == FrameOwner.Library
            ? OfAssembly(method.Module.Assembly.GetName().Name ?? "")
            : (false, owner == FrameOwner.Core && KindNames.TakesOwnLock(method.DeclaringType?.FullName ?? "", method.Name));
        Library = owner == FrameOwner.Library && HasType ? Libraries.NameOf(method.Module.Assembly) : null;
        var parameters = ParametersOf(method);
        Role = FrameRoles.Get(method, owner, parameters);
        Part = FrameRoles.PartOf(method, owner, parameters);
        IsPipelinePart = owner == FrameOwner.Library && FrameRoles.TakesRequest(parameters);
        _hash = method.GetHashCode();
        if (IsPassing(method))
        {
            _module = HasType ? new WeakReference<Module>(method.Module) : null;
            _made = HasType ? null : new WeakReference<MethodBase>(method);
            _token = HasType ? method.MetadataToken : 0;
            var name = FrameName.From(method);
            _name = new Lazy<FrameName>(name);
        }
        else
        {
            _method = method;
            _name = new Lazy<FrameName>(() => FrameName.From(method), LazyThreadSafetyMode.PublicationOnly);
        }
    }

    /// <summary>Null when it was unloaded or collected.</summary>
    public MethodBase? Method
    {
        [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Code that was on a stack was not trimmed.")]
        get => _method
            ?? (_module is not null && _module.TryGetTarget(out var module) ? module.ResolveMethod(_token) : null)
            ?? (_made is not null && _made.TryGetTarget(out var made) ? made : null);
    }

    public string MethodName { get; }

    /// <summary>The name that its callers call: that of the asynchronous method for its state machine, for example.</summary>
    public string SourceName { get; }

    /// <summary>The type of the method with that name; null when it was unloaded, or when there is none.</summary>
    public Type? SourceType => SourceMethod.TypeOf(Method);

    public FrameOwner Owner { get; }

    public WaitKind Kind { get; }

    public FrameRole Role { get; }

    /// <summary>The only part of the application that it calls; null when it may call anything.</summary>
    public UserPart? Part { get; }

    /// <summary>Whether it is a library's own part of the pipeline, such as a filter. It may wait before it calls the next part.</summary>
    public bool IsPipelinePart { get; }

    public bool IsPublic { get; }

    public bool IsConstructor { get; }

    /// <summary>False for code that was generated at run time and belongs to no type.</summary>
    public bool HasType { get; }

    /// <summary>Whether it is a general-purpose type such as a collection, which says nothing about the code that uses it.</summary>
    public bool IsTool { get; }

    /// <summary>Whether it belongs to the framework. Users of the framework neither take its locks nor can change them.</summary>
    public bool IsFramework { get; }

    /// <summary>The package that it belongs to; null for application code and the shared framework.</summary>
    public string? Library { get; }

    /// <summary>Whether it runs a static constructor, which other threads wait for.</summary>
    public bool IsTypeStart { get; }

    /// <summary>
    /// Whether it only starts asynchronous methods. In optimised code it stands between a method and the library's asynchronous method that
    /// the method calls, whose own frame is gone.
    /// </summary>
    public bool IsAsyncStart { get; }

    public bool IsOfMvc { get; }

    public bool IsLogger { get; }

    public string FullName => _name.Value.Full;

    public string ShortName => _name.Value.Short;

    /// <summary>Whether a method must not be kept alive. This includes an unloadable method of a library.</summary>
    public static bool IsPassing(MethodBase method) => method.DeclaringType is null || method.IsCollectible;

    public bool Equals(FrameInfo? other) =>
        ReferenceEquals(this, other)
        || (other is not null && _hash == other._hash
            && (_method is not null ? _method.Equals(other._method) : _made is not null ? IsSameMade(other) : IsSameUnloadable(other)));

    /// <summary>Whether its code calls another method. Caches the answer.</summary>
    /// <param name="call">The other method.</param>
    /// <param name="deepest">How many methods may lie between.</param>
    /// <param name="find">Looks for it.</param>
    public bool Calls(FrameInfo call, int deepest, Func<FrameInfo, FrameInfo, int, bool> find)
    {
        var answers = LazyInitializer.EnsureInitialized(ref _calls);
        if (answers.TryGetValue((call, deepest), out var known))
        {
            return known;
        }

        bool answer;
        try
        {
            answer = find(this, call, deepest);
        }
        catch (Exception)
        {
            // The code refers to something that is missing.
            answer = false;
        }

        if (answers.Count < MaxCalls)
        {
            answers.TryAdd((call, deepest), answer);
        }

        return answer;
    }

    public override bool Equals(object? obj) => Equals(obj as FrameInfo);

    public override int GetHashCode() => _hash;

    private bool IsSameMade(FrameInfo other) =>
        other._made is not null && _made!.TryGetTarget(out var mine) && other._made.TryGetTarget(out var theirs) && mine.Equals(theirs);

    private bool IsSameUnloadable(FrameInfo other) =>
        other._module is not null && _token == other._token && FullName == other.FullName
        && _module!.TryGetTarget(out var mine) && other._module.TryGetTarget(out var theirs) && mine == theirs;

    // A parameter's type may be missing. Such a method never runs far enough to use its parameters, but can still be on a stack.
    private static ParameterInfo[] ParametersOf(MethodBase method)
    {
        try
        {
            var parameters = method.GetParameters();
            foreach (var parameter in parameters)
            {
                _ = parameter.ParameterType;
            }

            return parameters;
        }
        catch (Exception)
        {
            return [];
        }
    }

    private static (bool IsTool, bool IsFramework) OfAssembly(string name) =>
        name.StartsWith("System.Net", StringComparison.Ordinal) || name.StartsWith("Microsoft.", StringComparison.Ordinal) ? (false, true)
        : (name.StartsWith("System.", StringComparison.Ordinal), false);

    // EF Core reports a command from deep inside its logging, which isn't what blocked.
    private static bool IsReporting(Type type) =>
        type.Namespace is "Microsoft.EntityFrameworkCore.Diagnostics" or "Microsoft.EntityFrameworkCore.Diagnostics.Internal"
            or "System.Diagnostics";
}
