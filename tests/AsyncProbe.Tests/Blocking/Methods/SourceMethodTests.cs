using System.Reflection;
using AsyncProbe.Blocking.Methods;

namespace AsyncProbe.Tests.Blocking.Methods;

[Trait(Logic.Category, Logic.Name)]
public sealed class SourceMethodTests
{
    private const BindingFlags All =
        BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    [Theory]
    [InlineData(nameof(LoadAsync))]
    [InlineData(nameof(WithLambda))]
    [InlineData(nameof(WithAsynchronousLambda))]
    public void Code_IsThatOfItsSourceMethod(string name)
    {
        var compiled = Compiled(name);

        compiled.ShouldNotBeEmpty();
        compiled.ShouldAllBe(method => SourceMethod.NameOf(method) == name && SourceMethod.TypeOf(method) == typeof(SourceMethodTests));
    }

    // The method that waits is called where the values are enumerated. A wait in ToBlockingEnumerable was once reported where it was called.
    [Theory]
    [InlineData(nameof(Iterate))]
    [InlineData(nameof(IterateAsync))]
    public void Iterator_StandsForItself(string name)
    {
        var compiled = Compiled(name);

        compiled.ShouldNotBeEmpty();
        compiled.ShouldAllBe(method => SourceMethod.NameOf(method) == "MoveNext" && SourceMethod.TypeOf(method) != typeof(SourceMethodTests));
    }

    private static async Task LoadAsync() => await Task.Yield();

    private static Func<int, int> WithLambda(int one) => two => one + two;

    private static Func<Task> WithAsynchronousLambda() => async () => await Task.Yield();

    private static IEnumerable<int> Iterate()
    {
        yield return 1;
    }

    private static async IAsyncEnumerable<int> IterateAsync()
    {
        await Task.Yield();
        yield return 1;
    }

    // The lambdas of a method, and the code of its state machines.
    private static List<MethodBase> Compiled(string name) =>
        [.. Nested(typeof(SourceMethodTests)).SelectMany(type => type.GetMethods(All)).Where(method =>
            method.Name.StartsWith($"<{name}>", StringComparison.Ordinal)
            || (method.Name == "MoveNext" && method.DeclaringType!.Name.TrimStart('<').StartsWith($"{name}>", StringComparison.Ordinal)))];

    private static IEnumerable<Type> Nested(Type type) => type.GetNestedTypes(All).SelectMany(nested => Nested(nested).Prepend(nested));
}
