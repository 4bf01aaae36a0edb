using System.Collections.Concurrent;
using Xunit.Abstractions;
using Xunit.Sdk;

[assembly: CollectionBehavior("AsyncProbe.Tests.SideBySideFactory", "AsyncProbe.Tests", MaxParallelThreads = 4)]

namespace AsyncProbe.Tests;

/// <summary>
/// Marks tests that mostly wait, and whose result is the same whatever else runs in the process. They run first, beside one another. All
/// other classes then run one at a time, since they measure this process: its threads, its pool, its memory.
/// </summary>
/// <param name="definition">The fixtures of classes that run one after another and share them; none for a class by itself.</param>
[AttributeUsage(AttributeTargets.Class)]
internal sealed class SideBySideAttribute(Type? definition = null) : Attribute
{
    public Type? Definition { get; } = definition;
}

/// <summary>Makes each class a collection of its own, and runs those without <see cref="SideBySideAttribute"/> alone.</summary>
internal sealed class SideBySideFactory(ITestAssembly assembly) : IXunitTestCollectionFactory
{
    private readonly ConcurrentDictionary<string, ITestCollection> _collections = new();

    public string DisplayName => "side by side, or alone";

    public ITestCollection Get(ITypeInfo testClass)
    {
        if (testClass.GetCustomAttributes(typeof(SideBySideAttribute)).FirstOrDefault() is not { } mark)
        {
            return Create(testClass.Name, typeof(Alone));
        }

        var definition = mark.GetNamedArgument<Type?>(nameof(SideBySideAttribute.Definition));
        return Create(definition?.FullName ?? testClass.Name, definition);
    }

    private ITestCollection Create(string name, Type? definition) =>
        _collections.GetOrAdd(name, _ => new TestCollection(assembly, definition is null ? null : Reflector.Wrap(definition), name));
}

/// <summary>What xunit looks at to run a collection by itself.</summary>
[CollectionDefinition("alone", DisableParallelization = true)]
public sealed class Alone;
