import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callFigures } from '../bench/call-figures.js';
import { combine } from '../bench/combine.js';
import { mergeFigures, figures } from '../bench/figures.js';
import { atLeast } from '../bench/load.js';
import { medianWindow, type Window } from '../bench/measure.js';
import { EventStream } from '../bench/event-stream.js';
import { HttpConnection } from '../bench/http-connection.js';
import { parseCpuTicks, parseResidentKb } from '../bench/process-usage.js';
import { listOrder, plannedTask, plannedTasks } from '../bench/seed-plan.js';
import { seedStore } from '../bench/seed-store.js';
import { readOptions } from '../bench/options.js';
import { readReport, renderReports } from '../bench/report.js';
import { median, percentile } from '../bench/statistics.js';
import { table } from '../bench/tables.js';
import { judge } from '../bench/targets.js';
import { openReader } from '../src/database/index.js';

const window = (cpuUs: number, rest: Partial<Window> = {}): Window => ({
  cpuUs,
  perSecond: 1000,
  p50Ms: 1,
  p99Ms: 2,
  ...rest,
});

describe('the arithmetic of the benchmark', () => {
  it('takes the middle value, and the mean of two', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([10, 9, 1, 2])).toBe(5.5);
    expect(() => median([])).toThrow('no values');
  });

  it('takes the nearest rank as a percentile, by number and not by text', () => {
    const values = Array.from({ length: 100 }, (_, at) => 100 - at);
    expect(percentile(values, 99)).toBe(99);
    expect(percentile(values, 100)).toBe(100);
    expect(percentile([10, 9], 50)).toBe(9);
    expect(percentile([7], 99)).toBe(7);
    expect(() => percentile([], 99)).toThrow('no values');
  });

  it('adds user and system time, whatever the program is called', () => {
    const rest = 'R 1 2 3 4 -1 4194304 102 0 0 0 250 31 7 8 20 0 1 0 1166444';
    expect(parseCpuTicks(`17209 (node) ${rest}`)).toBe(281);
    expect(parseCpuTicks(`17209 (a) b (c d) ${rest}`)).toBe(281);
    expect(() => parseCpuTicks('17209 (node) R')).toThrow('no line');
  });

  it('reads the resident memory', () => {
    expect(parseResidentKb('Name:\tnode\nVmHWM:\t 99 kB\nVmRSS:\t  81234 kB\n')).toBe(81_234);
    expect(() => parseResidentKb('Name:\tnode\n')).toThrow('ended');
  });

  it('goes on until both the requests and the time are reached', () => {
    const goesOn = atLeast({ requests: 10, ms: 100 });
    expect(goesOn({ requests: 9, ms: 500 })).toBe(true);
    expect(goesOn({ requests: 50, ms: 99 })).toBe(true);
    expect(goesOn({ requests: 10, ms: 100 })).toBe(false);
  });

  it('takes the median of every figure by itself', () => {
    const windows = [window(1, { p99Ms: 30 }), window(3, { p99Ms: 10 }), window(2, { p99Ms: 20 })];
    expect(medianWindow(windows)).toEqual(window(2, { p99Ms: 20 }));
  });

  it('gives no verdict for the small sizes of a quick run', () => {
    const met = (quick: boolean) => judge({ ...figures(), ratios: { send_vs_http: 1 } }, quick)[5]?.met;
    expect([met(false), met(true)]).toEqual([true, undefined]);
  });

  it('says which option is wrong, before anything is measured', () => {
    const parts = ['calls', 'relay'];
    expect(readOptions(['--only', 'relay', '--rows', 'send'], parts)).toMatch(/^--rows: .* part calls/);
    expect(readOptions(['--only', 'relay', '--profile', 'p'], parts)).toMatch(/^--profile: .* part calls/);
    expect(readOptions(['--only', 'calls', '--rows', 'send'], parts)).toMatchObject({ rows: ['send'] });
  });

  it('names the file that is no report, in one line and without what is in it', () => {
    const dir = mkdtempSync(join(tmpdir(), 'hello-api-'));
    try {
      const file = join(dir, 'figures.json');
      expect(() => readReport(file)).toThrow(`--render ${file} cannot be read: ENOENT`);
      for (const text of ['hi', 'null', '[]', '{"a":1}']) {
        writeFileSync(file, text);
        expect(() => readReport(file)).toThrow(new Error(`${file} is no report of npm run bench`));
      }
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  it('calls a ratio above 1 what hello-api does with less CPU, at 64 connections', () => {
    const bySystem = new Map([
      ['hello' as const, window(50)],
      ['sdkMemory' as const, window(200)],
      ['http' as const, window(25)],
    ]);
    const windows = new Map([
      ['send@64', bySystem],
      ['send@1', new Map(bySystem).set('hello', window(80))],
    ]);
    const found = callFigures({
      windows,
      memoryMb: new Map([['hello' as const, { atStart: 90, atEnd: 120 }]]),
    });
    expect(found.ratios).toEqual({ send_vs_sdk_memory: 4, send_vs_http: 0.5 });
    expect(found.cpuUs).toMatchObject({ 'send@64.hello': 50, 'send@1.hello': 80 });
    expect(found.memoryMb).toEqual({ 'calls.hello.atStart': 90, 'calls.hello.atEnd': 120 });
  });

  it('judges what was measured and nothing else', () => {
    const found = mergeFigures([
      figures({ ratios: { send_vs_sdk_memory: 1.9 } }),
      figures({ ratios: { list_page1000_vs_page1: 1.3 } }),
    ]);
    const verdicts = new Map(judge(found).map(({ title, met }) => [title, met]));
    expect(verdicts.get('SendMessage: CPU beside the SDK in memory')).toBe(false);
    expect(verdicts.get('Page 1,000 of a million tasks: CPU beside page 1')).toBe(true);
    expect(verdicts.get('Card: CPU beside the SDK')).toBeUndefined();
  });

  it('takes the median of each figure over several runs, and how far they lie apart', () => {
    const runs = [1.4, 3, 2].map((send_vs_sdk_memory) => figures({ ratios: { send_vs_sdk_memory } }));
    const { medians, spread } = combine([...runs, figures({ seconds: { start: 7 } })]);
    expect(medians).toEqual(figures({ ratios: { send_vs_sdk_memory: 2 }, seconds: { start: 7 } }));
    expect(spread.ratios).toEqual({ send_vs_sdk_memory: [1.4, 3] });
    expect(() => combine([])).toThrow('nothing to combine');
  });

  it('shows one run by its figures, and several by their medians and spread', () => {
    const machine = {
      node: 'v20',
      cpu: 'c',
      cores: 2,
      memoryGb: 1,
      pinned: true,
      at: '2026-01-02T03:04:05Z',
    };
    const reports = [1.4, 3, 2].map((send_vs_sdk_memory) => ({
      ...figures({ ratios: { send_vs_sdk_memory } }),
      machine,
      quick: false,
    }));
    const row = (text: string) =>
      text.split('\n').find((line) => line.startsWith('| SendMessage: CPU beside the SDK in'));
    expect(row(renderReports(reports.slice(0, 1)))).toMatch(/ ≥ 2 +\| 1\.4 +\| NOT MET +\|$/);
    expect(row(renderReports(reports))).toMatch(/ ≥ 2 +\| 2 \(1\.4–3\) +\| met +\|$/);
    expect(renderReports(reports).match(/^Full run/gm)).toHaveLength(3);
  });

  it('plans the same tasks each time, and lists them by status and then by id', () => {
    const tasks = plannedTasks(500, 1_764_500_000_000);
    expect(tasks[7]).toEqual(plannedTask(7, 500, 1_764_500_000_000));
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(500);
    expect(tasks.every((task) => task.statusAtMs >= task.createdAtMs)).toBe(true);
    expect(tasks.every((task) => task.statusAtMs <= 1_764_500_000_000)).toBe(true);
    const twins = [
      { ...plannedTask(1, 9, 0), statusAtMs: 5 },
      { ...plannedTask(2, 9, 0), statusAtMs: 5 },
    ];
    expect(listOrder(twins)).toEqual([twins[1]?.id, twins[0]?.id]);
  });

  it('writes tables that Markdown reads', () => {
    expect(table(['a', 'long title'], [['1', 'x']])).toBe(
      '| a   | long title |\n| --- | ---------- |\n| 1   | x          |',
    );
  });
});

describe('the clients of the benchmark', () => {
  const servers: Server[] = [];
  const serve = async (listener: RequestListener): Promise<number> => {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return (server.address() as AddressInfo).port;
  };
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.close();
      server.closeAllConnections();
    }
  });

  it('reads one answer after the other from a connection, also one that comes in pieces', async () => {
    const text = 'ä'.repeat(100_000);
    const port = await serve((_request, response) => {
      response.writeHead(201, { 'content-length': Buffer.byteLength(text) });
      response.write(text.slice(0, 7));
      setImmediate(() => response.end(text.slice(7)));
    });
    const connection = await HttpConnection.open(port);
    const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
    for (let turn = 0; turn < 3; turn += 1) {
      const { status, body } = await connection.send(request);
      expect([status, body === text]).toEqual([201, true]);
    }
    connection.close();
  });

  it('fails when the server ends the connection, or says no length', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/cut') return void request.socket.destroy();
      response.write('a chunk ');
      response.end('and another');
    });
    const ask = async (path: string) =>
      (await HttpConnection.open(port)).send(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await expect(ask('/cut')).rejects.toThrow('closed the connection');
    await expect(ask('/chunked')).rejects.toThrow('without Content-Length');
  });

  const streamOf = async (text: string): Promise<EventStream> => {
    const port = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(text);
    });
    return new EventStream({ port, path: '/', headers: {}, body: {} });
  };

  it('counts events and no comments, and knows the last one', async () => {
    const stream = await streamOf(
      ': hello\n\ndata: {"result":{"kind":"task"}}\n\ndata: {"result":{"final":true}}\n\n',
    );
    await stream.ended;
    expect(stream.events).toBe(2);
    expect(await stream.firstEventMs).toBeGreaterThan(0);
  });

  it('fails for a stream that breaks off or brings an error', async () => {
    await expect((await streamOf('data: {"result":{"final":false}}\n\n')).ended).rejects.toThrow('final');
    await expect((await streamOf('data: {"error":{"code":-32001}}\n\n')).ended).rejects.toThrow('error');
  });
});

it('seeds tasks that the schema takes and the totals count', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'hello-bench-'));
  const file = join(dir, 'a2a.sqlite');
  const owner = { file, accountId: 'account-1', agentId: 'agent-1', untilMs: 1_764_500_000_000 };
  await seedStore({ ...owner, total: 1_200, expiresAtMs: 1_764_600_000_000 });
  await seedStore({
    ...owner,
    from: 1_200,
    total: 3,
    open: true,
    computers: 2,
    expiresAtMs: 1_764_600_000_000,
  });
  const reader = await openReader(file);
  try {
    const totals = await reader.query('SELECT state, total FROM task_totals ORDER BY state');
    expect(totals).toEqual([{ state: 'completed', total: 1_200 }]);
    const open = await reader.query(
      `SELECT computer_id, COUNT(*) AS jobs, MIN(typeof(status_at)) AS type FROM tasks JOIN messages ON task_id = id
       WHERE state = 'working' GROUP BY computer_id`,
    );
    expect(open).toEqual([
      { computer_id: 'computer-0', jobs: 2, type: 'integer' },
      { computer_id: 'computer-1', jobs: 1, type: 'integer' },
    ]);
  } finally {
    await reader.destroy();
    rmSync(dir, { recursive: true });
  }
});
