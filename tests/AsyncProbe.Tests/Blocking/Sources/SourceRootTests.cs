using AsyncProbe.Blocking.Sources;

namespace AsyncProbe.Tests.Blocking.Sources;

[Trait(Logic.Category, Logic.Name)]
public sealed class SourceRootTests
{
    [Theory]
    [InlineData("/home/alice/shop/Controllers/Orders.cs", "/home/alice/shop/Program.cs", "Controllers/Orders.cs")]
    [InlineData(@"C:\Users\alice\shop\Controllers\Orders.cs", @"C:\Users\alice\shop\Program.cs", "Controllers/Orders.cs")]
    [InlineData("/_/src/Shop/Controllers/Orders.cs", "/_/src/Shop/Program.cs", "Controllers/Orders.cs")]
    [InlineData("/_1/Controllers/Orders.cs", "/_1/Program.cs", "Controllers/Orders.cs")]
    [InlineData(@"Shop\Controllers\Orders.cs", @"Shop\Program.cs", "Controllers/Orders.cs")]
    [InlineData("/home/alice/shop/Controllers/Orders.cs", "/home/alice/shop/obj/Debug/net10.0/Shop.AssemblyInfo.cs",
        "Controllers/Orders.cs")]
    [InlineData("/home/alice/shop/Controllers/Orders.cs", "/home/alice/.nuget/packages/x/1.0.0/contentFiles/cs/any/Y.cs", "Orders.cs")]
    [InlineData("/home/alice/shop/Orders.cs", "/home/bob/linked/Y.cs", "Orders.cs")]
    [InlineData(@"C:\Users\alice\shop\Orders.cs", @"D:\linked\Y.cs", "Orders.cs")]
    [InlineData("Orders.cs", "Program.cs", "Orders.cs")]
    public void File_IsToldFromTheProjectsRoot(string file, string other, string told) =>
        SourceRoot.From([file, other]).Relative(file).ShouldBe(told);

    [Fact]
    public void File_OutsideOfTheRoot_IsItsName() =>
        SourceRoot.From(["/home/alice/shop/A.cs", "/home/alice/shop/B.cs"]).Relative("/home/alice/elsewhere/C.cs").ShouldBe("C.cs");
}
