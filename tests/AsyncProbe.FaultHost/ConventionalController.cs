using Microsoft.AspNetCore.Mvc;

namespace AsyncProbe.FaultHost;

/// <summary>A controller without attributes, which only conventional routing finds.</summary>
public sealed class ConventionalController : Controller
{
    public string Wait()
    {
        Task.Delay(20).Wait();
        return "waited";
    }
}
