using AsyncProbe.Cli.Sites;

namespace AsyncProbe.Cli.Tests.Sites;

public class SourcePathsTests
{
    [Fact]
    public void Path_IsFromTheRepositoryOn_WhenOneFileEndsLikeIt()
    {
        var paths = new SourcePaths(
            ["src/Shop/Data/Orders.cs", "src/Shop/MoreData/Orders.cs", "src/Shop/Program.cs", "tests/Shop.Tests/Program.cs"]);

        paths.Find("Data/Orders.cs").ShouldBe("src/Shop/Data/Orders.cs");
        paths.NotFound.ShouldBeEmpty();
        // Keep the server's name where it could mean several files or none.
        string[] uncertain = ["Orders.cs", "Program.cs", "Gone.cs", "orders.CS"];
        uncertain.Select(paths.Find).ShouldBe(uncertain);
        paths.NotFound.ShouldBe(uncertain);
    }

    [Fact]
    public void Scan_BeginsAtTheRepository_AndLeavesOutWhatIsMade()
    {
        using var folder = new TemporaryFolder();
        foreach (var file
            in (string[])[".git/HEAD", "src/Shop/Orders.cs", "src/Shop/obj/Orders.cs", "src/Shop/Orders.txt", "src/Other/Cart.cs",
                "src/Shop/Cart.cs", "Root.cs"])
        {
            Directory.CreateDirectory(Path.GetDirectoryName(folder.File(file))!);
            folder.Write(file, "");
        }

        var all = SourcePaths.ScanRepository(folder.File("src/Shop"));
        (all.Find("Orders.cs"), all.Find("Cart.cs"), all.Find("Root.cs")).ShouldBe(("src/Shop/Orders.cs", "Cart.cs", "Root.cs"));
        // If a folder inside the repository is given, only that is searched, but paths stay relative to the repository.
        var shop = SourcePaths.ScanFolder(folder.File("src/Shop"));
        (shop.Find("Cart.cs"), shop.Find("Root.cs")).ShouldBe(("src/Shop/Cart.cs", "Root.cs"));
        shop.NotFound.ShouldBe(["Root.cs"]);
    }
}
