using System.Globalization;

namespace AsyncProbe.Tests.House;

/// <summary>Whole sentences belong into approved files, where they are cheap to change (see CONTRIBUTING.md).</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class AssertedSentencesTests
{
    [Fact]
    public void Sentences_AreAssertedInApprovedFiles_UnlessListed()
    {
        var tests = Path.Combine(Repository.Folder, "tests");
        var allowed = File.ReadLines(Path.Combine(tests, "AsyncProbe.Tests/House/AssertedSentences.txt"))
            .Select(line => line.Split(' ', 2)).ToDictionary(line => line[1], line => int.Parse(line[0], CultureInfo.InvariantCulture));

        var tooMany =
            from project in Directory.EnumerateDirectories(tests)
            from file in Directory.EnumerateFiles(project, "*.cs", SearchOption.AllDirectories)
            let path = Path.GetRelativePath(tests, file).Replace('\\', '/')
            where !path.Split('/').Any(folder => folder is "obj" or "bin")
            let sentences = AssertedSentences.Find(File.ReadAllText(file)).ToList()
            where sentences.Count > allowed.GetValueOrDefault(path)
            select $"{path} may assert {allowed.GetValueOrDefault(path)} sentences, but has:\n{string.Join('\n', sentences)}";

        tooMany.ShouldBeEmpty();
    }

    [Theory]
    [InlineData("""text.ShouldBe("one two three four five six");""", 1)]
    [InlineData("""text.ShouldBe("one two three four five");""", 0)]
    [InlineData("""all.ShouldContain(t => t.Contains($"one two {x} three four five six"));""", 1)]
    [InlineData("""value.ShouldBe(5, "one two three four five six");""", 0)]
    [InlineData("""value.ShouldBeTrue("one two three four five six");""", 0)]
    [InlineData("""items.ShouldHaveSingleItem("one two three four five six");""", 0)]
    [InlineData("""Expect(line).ToHaveTextAsync("one two three four five six");""", 1)]
    [InlineData("""Expect(line).Not.ToContainTextAsync(new Regex("one two three four five six"));""", 1)]
    [InlineData("""Assert.Equal("one two three four five six", text);""", 1)]
    [InlineData("""Read("one two three four five six").ShouldBe(2);""", 0)]
    public void Sentence_IsFound_WhereItIsExpected(string statement, int count) =>
        AssertedSentences.Find($"class C {{ void M() {{ {statement} }} }}").Count().ShouldBe(count);

    [Fact]
    public void Sentence_IsFoundInATheorysData_OnlyIfItIsExpected() =>
        AssertedSentences.Find("""
            class C
            {
                [InlineData("one two three four five six", "eins zwei drei vier fuenf sechs")]
                void M(string given, string expected) => Read(given).ShouldBe(expected);
            }
            """).ShouldBe(["3: eins zwei drei vier fuenf sechs"]);
}
