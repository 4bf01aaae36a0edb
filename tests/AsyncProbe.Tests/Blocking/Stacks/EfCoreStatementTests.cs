using System.Data;
using System.Reflection;
using System.Runtime.CompilerServices;
using AsyncProbe.Blocking.Code;
using AsyncProbe.Blocking.Stacks;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Query.Internal;

namespace AsyncProbe.Tests.Blocking.Stacks;

/// <summary>Queries whose statement the runtime reports wrongly, because it inlined EF Core's small methods.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class EfCoreStatementTests
{
#pragma warning disable EF1001 // The stack shows EF Core's internal class.
    private static readonly MethodBase s_query = HandMadeStacks.Method(typeof(QueryCompiler), nameof(QueryCompiler.ExecuteAsync));
#pragma warning restore EF1001
    private static readonly MethodBase s_save = typeof(DbContext).GetMethod(nameof(DbContext.SaveChangesAsync), [typeof(CancellationToken)])!;

    // A query was once reported at the Remove before it. Remove only marks the entity.
    [Fact]
    public void Query_IsNotReportedAtAStatement_ThatRunsNone() =>
        PlaceOf(nameof(Shelf.RemoveThenFindAsync), nameof(DbSet<>.Remove)).Line.ShouldBeNull();

    // A query was once reported in the extension that only composes it, whichever of the two calls the runtime reported.
    [Theory]
    [InlineData(nameof(Composing.Untracked))]
    [InlineData(nameof(EntityFrameworkQueryableExtensions.FirstOrDefaultAsync))]
    public void Query_IsReportedWhereItRuns_NotInTheMethodThatComposesIt(string reported)
    {
        var place = PlaceOf(nameof(Shelf.FindUntrackedAsync), reported);

        place.Frame.ShortName.ShouldBe("EfCoreStatementTests.Shelf.FindUntrackedAsync");
        place.Line.ShouldNotBeNull().Line.ShouldBe(LineOf("// runs"));
    }

    // Saving was once reported at the query before it, and a query could have been reported where changes are saved.
    [Theory]
    [InlineData(nameof(DbContext.SaveChangesAsync), nameof(EntityFrameworkQueryableExtensions.FirstOrDefaultAsync), "// saves")]
    [InlineData(nameof(QueryCompiler.ExecuteAsync), nameof(DbContext.SaveChangesAsync), "// finds")]
    public void Command_IsReportedWhereItsKindRuns(string call, string reported, string mark)
    {
        var made = call == nameof(DbContext.SaveChangesAsync) ? s_save : s_query;

        PlaceOf(nameof(Shelf.FindAndSaveAsync), reported, made).Line.ShouldNotBeNull().Line.ShouldBe(LineOf(mark));
    }

    // Once the code is hot, only the state machine of SaveChangesAsync is left on the stack. The biggest sites of an application had no
    // line.
    [Fact]
    public void Save_IsReportedAtItsLine_ThoughOnlyItsStateMachineIsOnTheStack()
    {
        var machine = typeof(DbContext).GetNestedTypes(BindingFlags.NonPublic)
            .First(t => t.Name.StartsWith($"<{nameof(DbContext.SaveChangesAsync)}>", StringComparison.Ordinal));

        PlaceOf(
            nameof(Shelf.FindAndSaveAsync), nameof(EntityFrameworkQueryableExtensions.FirstOrDefaultAsync),
            HandMadeStacks.Method(machine, "MoveNext")).Line.ShouldNotBeNull().Line.ShouldBe(LineOf("// saves"));
    }

    // AddAsync only marks the entity. Either of the two calls after it may have saved.
    [Fact]
    public void Save_IsNotReportedAtAnAdd() =>
        PlaceOf(nameof(Shelf.AddAndSaveTwiceAsync), nameof(DbSet<>.AddAsync), s_save).Line.ShouldBeNull();

    // Only a lambda of the method that begins the transaction is left on the stack. IsSqlite, a method of EF Core as well, once competed
    // with it, and the site had no line.
    [Fact]
    public void Transaction_IsReportedWhereItBegins_ThoughOnlyALambdaShowsIt()
    {
        var begins = typeof(RelationalDatabaseFacadeExtensions).GetNestedTypes(BindingFlags.NonPublic)
            .SelectMany(t => t.GetMethods(BindingFlags.NonPublic | BindingFlags.Instance))
            .First(m => m.Name.StartsWith($"<{nameof(RelationalDatabaseFacadeExtensions.BeginTransaction)}>", StringComparison.Ordinal));
        var method = typeof(Shelf).GetMethod(nameof(Shelf.Begin))!;
        var frames = HandMadeStacks.Frames;

        var place = new SiteFrame(frames.Get(method), 0, frames.Get(begins), frames);

        place.Frame.ShortName.ShouldBe("EfCoreStatementTests.Books.Begin");
        place.Line.ShouldNotBeNull().Line.ShouldBe(LineOf("// begins"));
    }

    private static SiteFrame PlaceOf(string name, string reported, MethodBase? call = null)
    {
        var machine = typeof(Shelf).GetMethod(name)!.GetCustomAttribute<AsyncStateMachineAttribute>()!.StateMachineType;
        var method = HandMadeStacks.Method(machine, "MoveNext");
        var offset = MethodCode.Get(method).Calls.First(c => c.Target.Name == reported).Offset;
        var frames = HandMadeStacks.Frames;
        return new SiteFrame(frames.Get(method), offset, frames.Get(call ?? s_query), frames);
    }

    private static int LineOf(string mark, [CallerFilePath] string file = "") =>
        Array.FindIndex(File.ReadAllLines(file), l => l.EndsWith(mark, StringComparison.Ordinal)) + 1;

    public sealed class Book
    {
        public int Id { get; set; }
    }

    public sealed class Books(DbContextOptions<Books> options) : DbContext(options)
    {
        public DbSet<Book> All => Set<Book>();

        public void Begin()
        {
            if (Database.IsSqlite())
            {
                Database.BeginTransaction(IsolationLevel.ReadCommitted); // begins
            }
        }
    }

    public sealed class Shelf(Books books)
    {
        public void Begin() => books.Begin();

        public async Task<Book?> RemoveThenFindAsync()
        {
            var book = await books.All.FirstOrDefaultAsync(b => b.Id == 1);
            if (book is not null)
            {
                books.All.Remove(book);
                await books.SaveChangesAsync();
            }

            return await books.All.FirstOrDefaultAsync(b => b.Id == 2);
        }

        public async Task<Book?> FindAndSaveAsync()
        {
            var book = await books.All.FirstOrDefaultAsync(b => b.Id == 1); // finds
            await books.SaveChangesAsync(); // saves
            return book;
        }

        public async Task AddAndSaveTwiceAsync()
        {
            await books.All.AddAsync(new Book());
            await books.SaveChangesAsync();
            await books.SaveChangesAsync();
        }

        public async Task<Book?> FindUntrackedAsync()
        {
            var book = await books.All.Untracked().FirstOrDefaultAsync(b => b.Id == 1); // runs
            return book;
        }
    }
}

internal static class Composing
{
    public static IQueryable<T> Untracked<T>(this DbSet<T> all)
        where T : class =>
        all.Where(e => e != null).AsNoTracking();
}
