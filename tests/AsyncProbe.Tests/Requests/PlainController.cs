using Microsoft.AspNetCore.Mvc;

namespace AsyncProbe.Tests.Requests;

public sealed class PlainController : Controller
{
    [HttpGet]
    public string Show(int? id) => $"{Request.Path} {id}";
}

[ApiController]
[Route("api/[controller]/{id}")]
public sealed class AttributedController : ControllerBase
{
    [HttpGet]
    public string Get(int id) => $"{Request.Path} {id}";
}
