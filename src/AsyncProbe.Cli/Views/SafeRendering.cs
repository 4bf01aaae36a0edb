using AsyncProbe.Cli.Sessions;
using Spectre.Console.Rendering;

namespace AsyncProbe.Cli.Views;

/// <summary>Makes all text safe just before it reaches the terminal, so that only our own control codes get through.</summary>
internal sealed class SafeRendering : IRenderHook
{
    public IEnumerable<IRenderable> Process(RenderOptions options, IEnumerable<IRenderable> renderables) =>
        renderables.Select(renderable => new Safe(renderable));

    private sealed class Safe(IRenderable inner) : IRenderable
    {
        public Measurement Measure(RenderOptions options, int maxWidth) => inner.Measure(options, maxWidth);

        public IEnumerable<Segment> Render(RenderOptions options, int maxWidth) => inner.Render(options, maxWidth)
            .Select(
                segment => segment.IsControlCode || segment.IsLineBreak
                    ? segment
                    : new Segment(SafeText.Printable(segment.Text), segment.Style));
    }
}
