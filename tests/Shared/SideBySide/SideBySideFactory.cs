using System.Collections.Concurrent;
using Xunit.Abstractions;
using Xunit.Sdk;

namespace AsyncProbe.Tests.Shared;

/// <summary>Makes each class a separate collection, and runs one without <see cref="SideBySideAttribute"/> on its own.</summary>
internal sealed class SideBySideFactory(ITestAssembly assembly) : IXunitTestCollectionFactory
{
    private readonly ConcurrentDictionary<string, ITestCollection> _collections = new();

    public string DisplayName => "side by side, or alone";

    public ITestCollection Get(ITypeInfo testClass)
    {
        // Classes of one named collection share its fixtures and run one after another.
        var name = (string?)testClass.GetCustomAttributes(typeof(CollectionAttribute)).SingleOrDefault()?.GetConstructorArguments()
            .Single();
        var definition = name is null ? null : assembly.Assembly.GetTypes(false).Single(type => IsDefinition(type, name));
        if (testClass.GetCustomAttributes(typeof(SideBySideAttribute)).Any())
        {
            return Create(name ?? testClass.Name, definition);
        }

        if (definition is not null && !RunsAlone(definition))
        {
            throw new InvalidOperationException(
                $"{testClass.Name} is not marked [SideBySide]: its collection '{name}' needs DisableParallelization = true.");
        }

        return Create(name ?? testClass.Name, definition ?? Reflector.Wrap(typeof(Alone)));
    }

    private static bool RunsAlone(ITypeInfo definition) => definition.GetCustomAttributes(typeof(CollectionDefinitionAttribute)).Single()
        .GetNamedArgument<bool>(nameof(CollectionDefinitionAttribute.DisableParallelization));

    private static bool IsDefinition(ITypeInfo type, string name) =>
        type.GetCustomAttributes(typeof(CollectionDefinitionAttribute))
            .Any(definition => name.Equals(definition.GetConstructorArguments().Single()));

    private ITestCollection Create(string name, ITypeInfo? definition) =>
        _collections.GetOrAdd(name, _ => new TestCollection(assembly, definition, name));
}
