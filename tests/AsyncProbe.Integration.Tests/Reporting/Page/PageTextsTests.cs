using Microsoft.Playwright;

namespace AsyncProbe.Integration.Tests.Reporting.Page;

/// <summary>
/// Every sentence of the live page. The page's own scripts write them into the page from a made-up report, so they are the same on every
/// machine.
/// </summary>
[Trait("Needs", "Chromium")]
[Trait("Category", ApprovedTexts.Category)]
[SideBySide]
[Collection(nameof(BrowserTests))]
public sealed class PageTextsTests(Browser browser)
{
    private const string Report = """
        {
          pool: {
            state: 'healthy', cause: null, threads: 12, pending: 3, queueDelayMs: 0.4, queueDelayMaxMs: 0.7, advice: null, doNow: null,
            workers: { busy: 4, min: 8, max: 32767 }, unclaimed: { busy: 0, sites: [] }, history: [{ requestsPerSecond: 1234 }],
          },
          process: { name: 'Shop', version: '1.2.3', host: 'web-1', id: 4242, runtime: '.NET 10.0.0', processorCount: 8, uptimeMs: 600000,
            cpuMs: 30000, gcPauseMs: 250 },
          probe: { version: '1.0.0', cpuMs: 60, detection: 'whenBlocking', armedEndpoints: 2, selfTest: 'passed', snapshots: null,
            lifeline: 'http://127.0.0.1:5099/', dropped: { endpoints: 0, sites: 0 }, notAvailable: [] },
          endpoints: [], sites: [], now: [],
        }
        """;

    private const string Endpoint = """
        const time = mean => ({ total: mean * 10, mean, max: mean * 2 });
        const endpoint = { endpoint: 'GET /orders', requests: 1200, inFlight: 3, failed: 0, verdict: 'asyncWillHelp', help: 'task-wait',
          advice: 'The advice.', explained: 0.9, heldMs: time(212), cpuMs: time(2), cpuWaitMs: time(1), gcMs: time(0.5), blockedMs: time(208.5),
          blockedInGcMs: time(0), allowedMs: time(0), afterResponseMs: time(0), durationMs: { p50: 210, p95: 230, p99: 240, max: 400 },
          segmentsPerRequest: 1, fromCache: 0, aborted: 2,
          ceilingPerSecond: { threads: 12, now: { low: 40, high: 56 }, ifAsync: { low: null, high: 1000 } } };
        const site = { kind: 'Task.Wait', at: 'Orders.Load', file: 'src/Orders.cs', line: 42, count: 25, blockedMs: time(208.5), allowed: null,
          sampled: false, partial: false, hits: 0, via: null, awaitable: 'await', help: 'task-wait', endpoints: ['GET /orders'] };
        """;

    private static readonly (string Case, string Change, string Shown)[] s_reports =
    [
        ("healthy", "", "title, #process, #machine, #state, #figures"),
        ("uptime unknown", "r.process.uptimeMs = null", "#machine"),
        ("not watched",
            "Object.assign(r.pool, { state: null, threads: null, pending: null, queueDelayMs: null, queueDelayMaxMs: null }); r.pool.workers.busy = null; r.pool.unclaimed.busy = null",
            "title, #state, #figures"),
        ("queueing", "r.pool.state = 'queueing'; r.pool.cause = 'unknown'", "title, #state"),
        ("starved by blocked threads", "r.pool.state = 'starved'; r.pool.cause = 'blocked'", "title, #state"),
        ("starved by a deadlock", "r.pool.state = 'starved'; r.pool.cause = 'deadlock'", "#state"),
        ("starved by the CPU", "r.pool.state = 'starved'; r.pool.cause = 'cpu'", "#state"),
        ("starved by the garbage collector", "r.pool.state = 'starved'; r.pool.cause = 'gc'", "#state"),
        ("what to do now",
            "r.pool.doNow = { threads: 240, environment: 'DOTNET_ThreadPool_ForceMinWorkerThreads=F0', code: 'ThreadPool.SetMinThreads(240, 240)', why: 'The reason.' }",
            "#do-now p"),
        ("the probe", "", "#probe li"),
        ("the probe without clocks, hook and lifeline",
            "r.process.uptimeMs = r.process.cpuMs = r.process.gcPauseMs = r.probe.cpuMs = r.probe.selfTest = r.probe.lifeline = null; "
                + "r.probe.detection = 'off'; r.probe.armedEndpoints = 0; r.probe.notAvailable = ['a figure of the platform']",
            "#probe li"),
        ("the probe with full tables",
            "r.probe.detection = 'always'; r.probe.armedEndpoints = 1; r.probe.dropped = { endpoints: 7, sites: 1 }", "#probe li"),
        ("the probe with snapshots", "r.probe.snapshots = { taken: 12, failed: 0, lastAt: '2026-01-02T03:04:05Z', lastMs: 140 }", "#probe li:nth-child(3)"),
        ("the probe whose sampling pauses", "r.probe.snapshots = { taken: 12, failed: 0, lastAt: null, lastMs: null, windowsPaused: true }", "#probe li:nth-child(3)"),
        ("the probe with failed snapshots", "r.probe.snapshots = { taken: 12, failed: 3, lastAt: null, lastMs: null }", "#probe li:nth-child(3)"),
        ("warning: the pool", "r.pool.advice = 'The advice.'", "#warnings li"),
        ("warning: the self-test", "r.probe.selfTest = 'failed: the reason'", "#warnings li"),
        ("warning: an endpoint", "r.endpoints = [endpoint]; r.sites = [site]", "#warnings li"),
        ("warning: an endpoint without lines", "r.endpoints = [endpoint]", "#warnings li"),
        ("warning: an endpoint without lines, with snapshots",
            "r.endpoints = [endpoint]; r.probe.snapshots = { taken: 1, failed: 0, lastAt: null }", "#warnings li"),
        ("warning: a line", "r.sites = [site]", "#warnings li"),
        ("warning: a line that blocked once for five endpoints",
            "r.sites = [{ ...site, count: 1, endpoints: ['GET /a', 'GET /b', 'GET /c', 'GET /d', 'GET /e'] }]", "#warnings li"),
        ("warning: an unused rule", "r.probe.staleAllowRules = ['Orders.Load']", "#warnings li"),
        ("more than six warnings", "r.endpoints = Array.from({ length: 40 }, (_, i) => ({ ...endpoint, endpoint: `GET /${i}` }))", "#more-warnings"),
        ("held now: nothing", "", "#no-now"),
        ("held now: at a line", "r.now = [{ endpoint: 'GET /orders', threads: 10, heldMs: 300, cpuMs: 2, at: 'Orders.Load (Orders.cs:42)', looked: true, mostlyAt: null }]",
            "#now-table td"),
        ("held now: ten of 110 at a line",
            "r.now = [{ endpoint: 'GET /orders', threads: 100, heldMs: 1100, cpuMs: 1, at: null, looked: false, mostlyAt: 'Orders.Load (Orders.cs:42)' }, "
                + "{ endpoint: 'GET /orders', threads: 10, heldMs: 300, cpuMs: 2, at: 'Orders.Load (Orders.cs:42)', looked: true, mostlyAt: null }]",
            "#now-table td"),
        ("held now: where others wait",
            "r.now = [{ endpoint: 'GET /orders', threads: 3, heldMs: 300, cpuMs: 2, at: null, looked: false, mostlyAt: 'Orders.Load (Orders.cs:42)' }]",
            "#now-table td:last-child"),
        ("held now: at an unknown place",
            "r.now = [{ endpoint: 'GET /orders', threads: 3, heldMs: 300, cpuMs: null, at: null, looked: true, mostlyAt: null }]", "#now-table td:last-child"),
        ("held now: not looked yet",
            "r.now = [{ endpoint: 'GET /orders', threads: 3, heldMs: 300, cpuMs: 2, at: null, looked: false, mostlyAt: null }]", "#now-table td:last-child"),
        ("held now: other work",
            "r.pool.state = 'starved'; r.pool.workers.busy = 12; "
                + "r.pool.unclaimed = { busy: 10, sites: [{ kind: 'Task.Wait', at: 'Import.Run', file: 'src/Import.cs', line: 7, threads: 8 }] }",
            "#now-table td"),
        ("held now: other work at an unknown place",
            "r.pool.state = 'starved'; r.pool.workers.busy = 12; r.pool.unclaimed = { busy: 10, sites: [] }", "#now-table td:last-child"),
        ("no endpoint", "", "#no-endpoints"),
        ("no figure of the wait for a core", "r.endpoints = [{ ...endpoint, cpuWaitMs: null }]", "#no-cpu-wait"),
        ("more than 25 endpoints", "r.endpoints = Array.from({ length: 1000 }, (_, i) => ({ ...endpoint, endpoint: `GET /${i}` }))", "#more-endpoints"),
        ("an endpoint", "r.endpoints = [endpoint]", "#endpoint-table tr.main td, #endpoint-table td.held[title]"),
        ("verdicts",
            "r.endpoints = ['asyncWillHelp', 'cpuBound', 'lockContention', 'providerIsSynchronous', 'alreadyAsync', 'fine', 'notEnoughData']"
                + ".map(verdict => ({ ...endpoint, verdict, endpoint: verdict })).concat({ ...endpoint, endpoint: 'few', collecting: { requests: 2, needed: 5 } })",
            "#endpoint-table span.verdict"),
    ];

    private const string Figures = ".advice, h3, dl > div";
    private const string Lines = "div > p, summary";

    private static readonly (string Case, string Arguments, string Shown)[] s_details =
    [
        ("an endpoint's details", "endpoint, [site], false", Figures + ", " + Lines),
        ("details without figures",
            "{ ...endpoint, heldMs: null, cpuMs: null, cpuWaitMs: null, gcMs: null, blockedMs: null, afterResponseMs: null, explained: null, "
                + "segmentsPerRequest: null, ceilingPerSecond: null }, [], false", Figures),
        ("details of a wait during a gc, and of one that is allowed", "{ ...endpoint, blockedInGcMs: time(3), allowedMs: time(4) }, [], false", Figures),
        ("no wait was watched", "{ ...endpoint, explained: null }, [], false", Lines),
        ("the place is unknown", "endpoint, [], false", Lines),
        ("the place is unknown, with snapshots", "endpoint, [], true", Lines),
        ("a line that was seen in part",
            "endpoint, [{ ...site, count: 1, partial: true, via: 'Dapper', awaitable: 'QueryAsync', source: 'db.Query(sql);' }], false", Lines),
        ("a line that snapshots saw", "endpoint, [{ ...site, sampled: true, hits: 5, awaitable: null, stack: ['Orders.Load'] }], false", Lines),
        ("a line of several endpoints", "endpoint, [{ ...site, endpoints: ['GET /a', 'GET /b'], stack: ['Orders.Load'] }], false", Lines),
        ("a line that may block", "endpoint, [{ ...site, allowed: 'a file of 1 kB' }], false", Lines),
    ];

    private static readonly (string Case, string Server, string Lifeline, string ShownAt, bool IsFollowed)[] s_lost =
    [
        ("no answer yet", "app", "", "null", false),
        ("no answer any more", "app", "", "Date.UTC(2026, 0, 2, 3, 4, 5)", false),
        ("no answer, with a lifeline", "app", "http://127.0.0.1:5099/", "Date.UTC(2026, 0, 2, 3, 4, 5)", false),
        ("figures from the lifeline", "app", "http://127.0.0.1:5099/", "Date.UTC(2026, 0, 2, 3, 4, 5)", true),
        ("no answer from the lifeline", "lifeline", "", "Date.UTC(2026, 0, 2, 3, 4, 5)", false),
    ];

    [Fact]
    public async Task Sentences_AreApproved()
    {
        await using var page = await OpenAsync();
        var texts = new ApprovedTexts("AsyncProbe.Integration.Tests/Reporting/Page/Sentences");
        foreach (var (name, change, shown) in s_reports)
        {
            texts.Add(name, await ScriptAsync(page, $$"""
                for (const name of ['summary', 'warnings', 'now', 'endpoints']) (await load(name)).update(r);
                return read('{{shown}}');
                """, change));
        }

        foreach (var (name, arguments, shown) in s_details)
        {
            texts.Add(name, await ScriptAsync(page, $$"""
                const cell = document.createElement('td');
                (await load('detail')).detail(cell, {{arguments}});
                return texts(cell.querySelectorAll('{{shown}}'));
                """));
        }

        foreach (var (name, server, lifeline, shownAt, isFollowed) in s_lost)
        {
            texts.Add(name, await ScriptAsync(page, $$"""
                document.body.dataset.server = '{{server}}';
                document.body.dataset.lifeline = '{{lifeline}}';
                for (const id of ['lifeline', 'state']) document.getElementById(id).textContent = '';
                document.title = '';
                const lost = await load('lost', '{{server}}{{lifeline}}');
                lost.start();
                lost.tell({{shownAt}}, {{(isFollowed ? "true" : "false")}});
                return read('title, #state, #lifeline, #lost');
                """));
        }

        texts.ShouldBeApproved();
        page.Errors.ShouldBeEmpty();
    }

    [Fact]
    public async Task Words_AreApproved()
    {
        await using var page = await OpenAsync();
        var texts = new ApprovedTexts("AsyncProbe.Integration.Tests/Reporting/Page/Words");
        texts.Add("page.html", await ScriptAsync(page, """
            const html = await (await fetch(location.href, { headers: { Accept: 'text/html' } })).text();
            const parsed = new DOMParser().parseFromString(html, 'text/html');
            const inline = ['#text', 'A', 'B', 'CODE', 'I'];
            return [...parsed.querySelectorAll('title, body *')].filter(e => !inline.includes(e.nodeName) || e.parentNode === parsed.body)
              .flatMap(e => [
                [...e.childNodes].filter(n => inline.includes(n.nodeName)).map(n => n.textContent).join(''),
                e.getAttribute('aria-label') ?? '', e.getAttribute('placeholder') ?? '',
              ]).map(line).filter(text => text).join('\n');
            """));
        texts.Add("the table's columns", await ScriptAsync(page, """
            return [...document.querySelectorAll('#endpoint-table th button')].map(b => b.title ? `${b.textContent}: ${b.title}` : b.textContent).join('\n');
            """));
        texts.Add("the charts", await ScriptAsync(page, """
            return [...document.querySelectorAll('.chart')]
              .map(c => `${c.querySelector('h3').firstChild.textContent}: ${c.querySelector('p').textContent}\n${c.querySelector('svg').getAttribute('aria-label')}`)
              .join('\n');
            """));
        texts.ShouldBeApproved();
    }

    // Under load, a stack closed every second.
    [Fact]
    public async Task Stack_StaysOpen_WhileTheFiguresChange()
    {
        await using var page = await OpenAsync();
        var seen = await ScriptAsync(page, """
            const cell = document.createElement('td');
            const { detail } = await load('detail');
            detail(cell, endpoint, [{ ...site, stack: ['Orders.Load'] }], false);
            cell.querySelector('details').open = true;
            detail(cell, endpoint, [{ ...site, stack: ['Orders.Load'], count: 26 }], false);
            return `${cell.querySelector('details').open} ${cell.querySelector('.figures').textContent}`;
            """);

        seen.ShouldStartWith("true");
        seen.ShouldContain("26 times");
    }

    // Runs between two updates of the page itself, because it is paused.
    private static Task<string> ScriptAsync(PageSession page, string script, string change = "") => page.Page.EvaluateAsync<string>($$"""
        async () => {
          const root = document.querySelector('script[type=module]').src;
          const load = (name, instance = '') => import(new URL(`${name}.js${instance && `?instance=${instance}`}`, root));
          for (const name of ['summary', 'warnings', 'now', 'endpoints', 'detail']) await load(name);
          const line = text => text.replace(/[\s\u00a0\u202f]+/g, ' ').trim();
          const texts = elements => [...elements].filter(e => !e.hidden && !e.closest('[hidden]'))
            .map(e => line(e.title ? `(${e.title})` : [...e.childNodes].map(n => n.textContent).join(e.parentNode.nodeName === 'DL' ? ': ' : ''))).filter(text => text).join('\n');
          const read = selector => texts(document.querySelectorAll(selector));
          const r = {{Report}};
          {{Endpoint}}
          {{change}};
          {{script}}
        }
        """);

    private async Task<PageSession> OpenAsync()
    {
        var page = await browser.OpenSharedAsync(options: new BrowserNewContextOptions { Locale = "en-GB", TimezoneId = "UTC" });
        await page.Page.ClickAsync("#pause");
        return page;
    }
}
