namespace AsyncProbe.Tests.Readme;

[Trait(Logic.Category, Logic.Name)]
public sealed class PromisePageTests
{
    private const string Page = """
        # Page

        Intro over
        two lines. Second.
        - <a id="item"></a>One, on
          two lines. **Two.**
          - <a id="nested"></a>Uses `a.b`, version 1.0.
        - None

        | head | of the table |
        |---|--:|
        | <a id="row"></a>cell | cell. |

        ## Next
        - <a id="a"></a><a id="b"></a>Two
        """;

    [Fact]
    public void Page_IsReadAsPromisesAndParagraphs() =>
        PromisePage.Read(Page).Select(block => $"{block.Section}, {block.IsPromise}, {string.Join('+', block.Ids)}, {block.Sentences}").ShouldBe(
        [
            "Page, False, , 2", "Page, True, item, 2", "Page, True, nested, 1", "Page, True, , 1", "Page, True, row, 1", "Next, True, a+b, 1",
        ]);
}
