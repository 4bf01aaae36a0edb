using System.Globalization;

namespace AsyncProbe.Tests.Shared;

/// <summary>What the tests read from responses.</summary>
internal static class Answer
{
    /// <summary>The header's only value. With a second one, a stored value would be sent together with the live one.</summary>
    public static string One(this HttpResponseMessage answer, string header) =>
        answer.Headers.TryGetValues(header, out var values)
            ? values.ShouldHaveSingleItem()
            : throw new ShouldAssertException($"no header {header}");

    public static double Number(this HttpResponseMessage answer, string header) =>
        double.Parse(answer.One(header), CultureInfo.InvariantCulture);

    public static async Task ShouldBeProblemAsync(this HttpResponseMessage answer, int status)
    {
        ((int)answer.StatusCode).ShouldBe(status);
        answer.Content.Headers.ContentType?.MediaType.ShouldBe("application/problem+json");
        (await answer.Content.ReadAsStringAsync()).ShouldContain($"\"status\":{status}");
    }
}
