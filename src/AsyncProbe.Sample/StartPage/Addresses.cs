namespace AsyncProbe.Sample.StartPage;

/// <summary>Prints the addresses to open when the sample starts.</summary>
internal static class Addresses
{
    public static void Print(WebApplication app)
    {
        var address = app.Urls.First().TrimEnd('/');
        Console.WriteLine($"""

            AsyncProbe sample
              start page         {address}/
              live page, report  {address}/_threadpool
              Swagger            {address}/swagger
              try                curl -si '{address}/values/sleep?ms=200'
            Ctrl+C stops it.

            """);
    }
}
