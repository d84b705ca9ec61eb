import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import type { ScriptedDaemon } from '../support/scripted-daemon.js';
import { TestApi, until } from '../support/test-api.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE}-${SPAN}-01`;

describe('traces', () => {
  let api: TestApi;
  let daemon: ScriptedDaemon;
  beforeEach(async () => {
    api = await TestApi.start();
    daemon = await api.daemon();
  });
  afterEach(() => api.close());

  const submitted = async (headers: Record<string, string>) => {
    const task = await api.send({}, { headers });
    return daemon.submissions.find(({ jobId }) => jobId === task.id)?.traceparent;
  };

  it("[O2] hands the caller's trace context on with the job", async () => {
    await expect(submitted({ traceparent: TRACEPARENT })).resolves.toBe(TRACEPARENT);
  });

  it('[O2] keeps the traces of requests apart that are handled at once', async () => {
    const parents = Array.from({ length: 20 }, (_, at) => `00-${TRACE}-00000000000000${at + 10}-01`);
    const seen = await Promise.all(parents.map((traceparent) => submitted({ traceparent })));
    expect(seen).toEqual(parents);
  });

  it.each([[{ traceparent: `00-${TRACE}-${SPAN}` }], [{ traceparent: `${TRACEPARENT}\t` + 'x' }], [{}]])(
    '[O2] hands nothing on that is no trace context: %j',
    async (headers) => {
      await expect(submitted(headers as Record<string, string>)).resolves.toBeUndefined();
    },
  );
});

describe('spans, where the operator has an SDK', () => {
  const exporter = new InMemorySpanExporter();
  let api: TestApi;
  beforeAll(async () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
    );
    api = await TestApi.start();
  });
  afterAll(async () => {
    await api.close();
    trace.disable();
    context.disable();
  });

  it('[O2] stand for the call, the relay call under it, and the commit linked to it; the job carries the call', async () => {
    const daemon = await api.daemon();
    exporter.reset();
    await api.send({}, { headers: { traceparent: TRACEPARENT } });
    const named = (name: string) => exporter.getFinishedSpans().filter((span) => span.name === name);
    await until('the call has ended', () => named('a2a SendMessage').length === 1);
    const [call] = named('a2a SendMessage');
    const [submit] = named('relay job.submit');
    const own = call?.spanContext();
    expect(own?.traceId).toBe(TRACE);
    expect(call?.parentSpanContext?.spanId).toBe(SPAN);
    expect(submit?.spanContext().traceId).toBe(TRACE);
    expect(submit?.parentSpanContext?.spanId).toBe(own?.spanId);
    expect(daemon.submissions[0]?.traceparent).toBe(`00-${TRACE}-${own?.spanId}-01`);
    const commits = named('database commit');
    expect(commits.flatMap(({ links }) => links.map(({ context: { spanId } }) => spanId))).toContain(
      own?.spanId,
    );
    expect(commits.every(({ parentSpanContext }) => parentSpanContext === undefined)).toBe(true);
  });

  it('[O2] [H2] hold neither texts nor credentials', async () => {
    await api.send({ parts: [{ text: 'a text for nobody else' }] });
    const spans = exporter.getFinishedSpans().map(({ name, attributes, events, status }) => ({
      name,
      attributes,
      events,
      status,
    }));
    expect(spans.length).toBeGreaterThan(2);
    expect(JSON.stringify(spans)).not.toMatch(/a text for nobody else|eyJ|acct-/);
  });
});
