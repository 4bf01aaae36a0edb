namespace AsyncProbe.Stories.Tests.Export;

/// <summary>Debian's JMeter 2.13, which can't read any plan until XStream's filter is lifted.</summary>
internal static class JMeterProgram
{
    private const string Home = "/usr/share/jmeter";

    public static bool IsInstalled()
    {
        var installed = Programs.FindFolder("java") is not null && File.Exists($"{Home}/lib/ext/ApacheJMeter_http.jar");
        if (!installed)
        {
            Programs.Missing("java and JMeter", "JMeter", "jmeter jmeter-http");
        }

        return installed;
    }

    public static async Task RunAsync(string plan, params string[] properties)
    {
        var folder = Path.GetDirectoryName(plan)!;
        var shim = Directory.CreateDirectory(Path.Combine(folder, "shim")).FullName;
        var source = Path.Combine(Repository.Folder, "tests", "AsyncProbe.Stories.Tests", "Export", "SecurityMapper.java");
        await EngineProcess.RunAsync(
            folder, "java", "-m", "jdk.compiler/com.sun.tools.javac.Main", "-nowarn", "-d", shim, "-cp", "/usr/share/java/xstream.jar",
            source);
        await EngineProcess.RunAsync(
            folder, "java",
            ["-cp", $"{shim}:{Home}/bin/ApacheJMeter.jar", $"-Djmeter.home={Home}", "org.apache.jmeter.NewDriver", "-n", "-t", plan,
                // It doesn't need to listen.
                "-j", plan + ".log", "-Jjmeterengine.nongui.port=0", .. properties]);
    }
}
