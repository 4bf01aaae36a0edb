using System.Collections.Concurrent;
using Xunit.Abstractions;
using Xunit.Sdk;

namespace AsyncProbe.Tests.Shared;

/// <summary>Makes each class a collection of its own, and runs those without <see cref="SideBySideAttribute"/> alone.</summary>
internal sealed class SideBySideFactory(ITestAssembly assembly) : IXunitTestCollectionFactory
{
    private readonly ConcurrentDictionary<string, ITestCollection> _collections = new();

    public string DisplayName => "side by side, or alone";

    public ITestCollection Get(ITypeInfo testClass)
    {
        if (!testClass.GetCustomAttributes(typeof(SideBySideAttribute)).Any())
        {
            return Create(testClass.Name, Reflector.Wrap(typeof(Alone)));
        }

        // Classes of one named collection share its fixtures and run one after another.
        var name = (string?)testClass.GetCustomAttributes(typeof(CollectionAttribute)).SingleOrDefault()?.GetConstructorArguments()
            .Single();
        return name is null
            ? Create(testClass.Name, null)
            : Create(name, assembly.Assembly.GetTypes(false).Single(type => IsDefinition(type, name)));
    }

    private static bool IsDefinition(ITypeInfo type, string name) =>
        type.GetCustomAttributes(typeof(CollectionDefinitionAttribute))
            .Any(definition => name.Equals(definition.GetConstructorArguments().Single()));

    private ITestCollection Create(string name, ITypeInfo? definition) =>
        _collections.GetOrAdd(name, _ => new TestCollection(assembly, definition, name));
}
