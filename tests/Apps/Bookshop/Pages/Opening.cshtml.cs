using Microsoft.AspNetCore.Mvc.RazorPages;

namespace Bookshop.Pages;

public sealed class OpeningModel : PageModel
{
    public string Hours { get; private set; } = "";

    public void OnGet() => Hours = LookUpAsync().Result; // blocks: opening

    private static async Task<string> LookUpAsync()
    {
        await Task.Delay(15);
        return "9 to 5";
    }
}
