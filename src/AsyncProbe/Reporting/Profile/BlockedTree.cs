using AsyncProbe.Common;

namespace AsyncProbe.Reporting.Profile;

/// <summary>
/// Stacks merged from their outermost frame downwards, as a flame graph shows them. If there are too many stacks for the allowed nodes, the
/// longest ones keep all their frames. The time of the others stays with their last frame that still fitted.
/// </summary>
internal sealed class BlockedTree
{
    private const int NoParent = -1;

    private readonly List<BlockedNode> _nodes = [];
    private readonly Dictionary<(int Parent, ProfileFrame Frame), int> _children = [];
    private readonly int _maxNodes;

    /// <param name="stacks">Longest first.</param>
    /// <param name="maxNodes">At least 1.</param>
    public BlockedTree(IEnumerable<BlockedStack> stacks, int maxNodes)
    {
        _maxNodes = maxNodes;
        foreach (var stack in stacks)
        {
            Add(stack);
        }
    }

    /// <summary>Parents before their children.</summary>
    public IReadOnlyList<BlockedNode> Nodes => _nodes;

    public Duration Blocked { get; private set; }

    /// <summary>The part of the blocked time whose innermost frames didn't fit.</summary>
    public Duration Cut { get; private set; }

    private void Add(BlockedStack stack)
    {
        Blocked += stack.Blocked;
        var at = NoParent;
        foreach (var frame in stack.Frames)
        {
            if (!_children.TryGetValue((at, frame), out var child))
            {
                if (_nodes.Count >= _maxNodes)
                {
                    Cut += stack.Blocked;
                    return;
                }

                child = _nodes.Count;
                _nodes.Add(new BlockedNode(at < 0 ? null : at, frame));
                _children[(at, frame)] = child;
            }

            _nodes[child].Blocked += stack.Blocked;
            at = child;
        }
    }
}
