import { randomUUID } from 'node:crypto';
import type { Step, Transcript } from './transcript-file.js';
import { type Frame, TranscriptLink } from './transcript-link.js';
import { Names } from './transcript-names.js';

type StepWith<K extends string> = Extract<Step, Record<K, unknown>>;

/** What a transcript tells a tested side to do besides frames; each side has those that concern it. */
export type Act = StepWith<'caller'> | StepWith<'api_forgets'> | StepWith<'owner'>;

/** The side whose conduct a transcript proves. */
export interface TestedSide {
  readonly side: 'gateway' | 'daemon';
  /** The next link between the two: opened by the runner, or by the tested daemon. */
  connect(): Promise<TranscriptLink>;
  act(step: Act, names: Names): Promise<void>;
  /** How a call of the caller was answered, in the words of the transcripts. */
  answerTo?(call: string): Promise<object>;
  /** Why the daemon ended for good. */
  endReason?(): Promise<string>;
}

/**
 * Plays the other side of a transcript against a gateway or a daemon.
 *
 * Frames of the tested side must come in the order of the transcript among those of one method and job, and answers
 * with the id of their request; between these, either may come first. What comes and is not in the transcript is a
 * fault, and so is a member too many or too few.
 * @throws Error naming the step
 */
export async function play(
  transcript: Transcript,
  tested: TestedSide,
  names: Names = new Names(),
): Promise<void> {
  const run = new Run(tested, names);
  for (const [index, step] of transcript.steps.entries()) {
    if ('only' in step && step.only !== undefined && step.only !== tested.side) continue;
    try {
      await run.take(step);
    } catch (error) {
      const text = `${transcript.name}, step ${index + 1} ${JSON.stringify(step)}`;
      throw new Error(`${text}\n${(error as Error).message}`, { cause: error });
    }
  }
  await run.end();
}

class Run {
  private readonly links = new Map<string, TranscriptLink>();
  private latest = '';

  constructor(
    private readonly tested: TestedSide,
    private readonly names: Names,
  ) {}

  async take(step: Step): Promise<void> {
    if ('connect' in step) {
      this.latest = step.connect;
      this.links.set(step.connect, await this.tested.connect());
    } else if ('daemon' in step) await this.frame('daemon', step.daemon, step);
    else if ('api' in step) await this.frame('gateway', step.api, step);
    else if ('close' in step) await this.close(step);
    else if ('lost' in step) await this.link(step.lost).cut();
    else if ('answered' in step) await this.compareAnswer(step);
    else if ('daemon_ends' in step) this.same(step.daemon_ends, await this.tested.endReason?.());
    else if (!('include' in step)) await this.tested.act(step, this.names);
  }

  /** Everything that was sent has been handled when one more question is answered; then nothing may be left over. */
  async end(): Promise<void> {
    const link = this.link();
    if (link.open) {
      const jobId = randomUUID();
      const update = { jobId, state: 'running', revision: 1, updatedAt: new Date().toISOString() };
      const question =
        this.tested.side === 'daemon'
          ? { method: 'job.status', params: { jobIds: [jobId] } }
          : { method: 'job.updated', params: update };
      link.send({ jsonrpc: '2.0', id: 'last', ...question });
      link.take(await link.find('the last answer', (frame) => frame['id'] === 'last'));
    }
    const heard = [...this.links.values()].flatMap((each) => each.left);
    // Partial output, and the goodbye of a daemon that is stopped, are best effort.
    const left = heard.filter(({ method, id }) => method === undefined || id !== undefined);
    if (left.length > 0) throw new Error(`more was said than the transcript has: ${JSON.stringify(left)}`);
  }

  private async frame(
    from: 'daemon' | 'gateway',
    template: string | Frame,
    { link: label, optional }: { link?: string | undefined; optional?: true | undefined },
  ): Promise<void> {
    const link = this.link(label);
    if (from === this.tested.side) {
      await this.expect(link, template as Frame, optional === true);
      return;
    }
    // The answer to a frame that was left out is left out too.
    if (isAnswer(template) && !this.names.knows(template['id'])) return;
    link.send(typeof template === 'string' ? template : this.names.render(template));
  }

  private async expect(link: TranscriptLink, template: Frame, optional: boolean): Promise<void> {
    if (isAnswer(template) && !this.names.knows(template['id'])) return;
    const found = await link.find('the frame', (frame) => this.belongs(template, frame));
    const difference = this.names.compare(template, found);
    if (difference === undefined) link.take(found);
    else if (!optional) throw new Error(difference);
  }

  private belongs(template: Frame, frame: Frame): boolean {
    if (isAnswer(template)) return !('method' in frame) && frame['id'] === this.names.render(template['id']);
    if (frame['method'] !== template['method']) return false;
    const jobId = (template['params'] as Frame | undefined)?.['jobId'];
    if (jobId === undefined || !this.names.knows(jobId)) return true;
    return (frame['params'] as Frame | undefined)?.['jobId'] === this.names.render(jobId);
  }

  private async close(step: StepWith<'close'>): Promise<void> {
    const link = this.link(step.link);
    const by = step.close === 'api' ? 'gateway' : 'daemon';
    const { code, reason } = step;
    if (by !== this.tested.side) link.close(code, this.names.render(reason) as string);
    const closed = await link.closed;
    if (by === this.tested.side) this.same({ code, reason }, closed);
  }

  private async compareAnswer(step: StepWith<'answered'>): Promise<void> {
    this.same(step.with, await this.tested.answerTo?.(step.answered));
  }

  private same(template: unknown, actual: unknown): void {
    const difference = this.names.compare(template, actual);
    if (difference !== undefined) throw new Error(difference);
  }

  private link(label: string = this.latest): TranscriptLink {
    const link = this.links.get(label);
    if (!link) throw new Error(`no link "${label}" was opened`);
    return link;
  }
}

function isAnswer(template: string | Frame): template is Frame {
  return typeof template !== 'string' && !('method' in template);
}
