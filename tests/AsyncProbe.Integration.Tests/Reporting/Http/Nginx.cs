using System.Diagnostics;
using AsyncProbe.Tests;

namespace AsyncProbe.Integration.Tests.Reporting.Http;

/// <summary>Debian's nginx on a loopback port, with its own configuration in a temporary folder.</summary>
internal sealed class Nginx : IAsyncDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("asyncprobe-nginx-");
    private readonly Process _process;

    private Nginx(string target, int port)
    {
        Client = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{port}"), Timeout = ProbedApp.Timeout };
        var file = Path.Combine(_folder.FullName, "nginx.conf");
        File.WriteAllText(file, $$"""
            daemon off;
            master_process off;
            pid {{_folder.FullName}}/nginx.pid;
            error_log stderr warn;
            events { }
            http {
              access_log off;
              client_body_temp_path {{_folder.FullName}}/body;
              proxy_temp_path {{_folder.FullName}}/proxy;
              fastcgi_temp_path {{_folder.FullName}}/fastcgi;
              uwsgi_temp_path {{_folder.FullName}}/uwsgi;
              scgi_temp_path {{_folder.FullName}}/scgi;
              server {
                listen 127.0.0.1:{{port}};
                location / { proxy_pass {{target}}; }
              }
            }
            """);
        var start = new ProcessStartInfo("/usr/sbin/nginx", ["-e", "stderr", "-p", _folder.FullName, "-c", file])
        {
            RedirectStandardError = true,
        };
        _process = Process.Start(start)!;
        Errors = _process.StandardError.ReadToEndAsync();
    }

    public HttpClient Client { get; }

    private Task<string> Errors { get; }

    /// <param name="target">The only argument of <c>proxy_pass</c>.</param>
    public static async Task<Nginx> StartAsync(string target)
    {
        var nginx = new Nginx(target, FreePort.Take());
        await Eventually.TrueAsync(
            async () =>
            {
                nginx._process.HasExited.ShouldBeFalse(nginx._process.HasExited ? await nginx.Errors : "");
                try
                {
                    using var response = await nginx.Client.GetAsync(new Uri("/", UriKind.Relative));
                    return true;
                }
                catch (HttpRequestException)
                {
                    return false;
                }
            },
            "nginx does not listen");
        return nginx;
    }

    public async ValueTask DisposeAsync()
    {
        Client.Dispose();
        _process.Kill();
        await _process.WaitForExitAsync().WaitAsync(ProbedApp.Timeout);
        _process.Dispose();
        _folder.Delete(recursive: true);
    }
}
