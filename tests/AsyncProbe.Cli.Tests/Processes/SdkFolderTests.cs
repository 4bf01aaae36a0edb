using AsyncProbe.Cli.Processes;

namespace AsyncProbe.Cli.Tests.Processes;

[Trait("Category", "Logic")]
public class SdkFolderTests
{
    [Theory]
    [InlineData("dotnet/sdk/10.0.401/dotnet.dll", true)]
    [InlineData("dotnet/sdk/10.0.401/MSBuild.dll", true)]
    [InlineData("dotnet/sdk/10.0.401/Roslyn/bincore/VBCSCompiler.dll", true)]
    [InlineData("dotnet/sdk/Shop.dll", false)]
    [InlineData("dotnet/shared/Shop.dll", false)]
    [InlineData("src/sdk/Shop/Shop.dll", false)]
    public void Contains_TellsTheSdksPrograms_FromAnApplication(string file, bool isOfSdk)
    {
        using var folder = new TemporaryFolder();
        Directory.CreateDirectory(folder.File("dotnet/sdk/10.0.401"));
        folder.Write("dotnet/sdk/10.0.401/dotnet.dll", "");

        SdkFolder.Contains(folder.File(file)).ShouldBe(isOfSdk);
    }
}
