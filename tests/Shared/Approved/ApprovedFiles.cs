using Snapshooter;
using Snapshooter.Core;

namespace AsyncProbe.Tests.Shared;

/// <summary>The approved texts on disk. A failed test doesn't write any file: its message has the diff.</summary>
internal sealed class ApprovedFiles : ISnapshotFileHandler
{
    public static SnapshotFullName Name(string subject)
    {
        var path = Path.Combine(Repository.Folder, "tests", subject + ".approved.txt");
        return new SnapshotFullName(Path.GetFileName(path), Path.GetDirectoryName(path)!);
    }

    /// <summary>When accepting, there is no text to compare with. A missing file counts as an empty one.</summary>
    public bool TryReadSnapshot(SnapshotFullName snapshotFullName, out string snapshotData)
    {
        var path = PathOf(snapshotFullName);
        snapshotData = ApprovedTexts.IsAccepting ? null! : File.Exists(path) ? File.ReadAllText(path) : "\n";
        return !ApprovedTexts.IsAccepting;
    }

    public string ReadSnapshot(SnapshotFullName snapshotFullName) => File.ReadAllText(PathOf(snapshotFullName));

    /// <summary>Called only when accepting.</summary>
    public string SaveNewSnapshot(SnapshotFullName snapshotFullName, string snapshotData)
    {
        File.WriteAllText(PathOf(snapshotFullName), snapshotData);
        return PathOf(snapshotFullName);
    }

    public string SaveMismatchSnapshot(SnapshotFullName snapshotFullName, string snapshotData) => PathOf(snapshotFullName);

    public void DeleteSnapshot(SnapshotFullName snapshotFullName)
    {
    }

    public void DeleteSnapshotSubfolder(SnapshotFullName snapshotFullName, string subfolder)
    {
    }

    private static string PathOf(SnapshotFullName name) => Path.Combine(name.FolderPath, name.Filename);
}
