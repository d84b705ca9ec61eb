import { MAX_REPLY_CODE_POINTS, type DeltaParams } from '../../relay-protocol/index.js';
import { cutToCodePoints } from '../runtimes/index.js';
import type { TakenJob } from '../storage/index.js';

/**
 * Numbers the pieces of a job's partial output. The first goes out at once, later ones are put together for an
 * interval: a model that speaks letter by letter must not flood the link.
 */
export class PartialOutput {
  private room = MAX_REPLY_CODE_POINTS;
  private sent: number;
  private held = '';
  private timer: NodeJS.Timeout | undefined;
  private ended = false;

  constructor(
    private readonly job: TakenJob,
    private readonly stopped: AbortSignal,
    private readonly link: { onDelta: (delta: DeltaParams) => void; deltaIntervalMs: number },
  ) {
    this.sent = job.deltas;
  }

  emit(text: string): void {
    if (this.ended || this.stopped.aborted) return;
    const piece = cutToCodePoints(text, this.room);
    this.room -= piece.points;
    this.held += piece.text;
    if (this.timer) return;
    this.flush();
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.flush();
    }, this.link.deltaIntervalMs);
  }

  /** Sends the rest and takes no more. @returns how many pieces the job has sent in all */
  end(): number {
    this.ended = true;
    clearTimeout(this.timer);
    this.flush();
    return this.sent;
  }

  private flush(): void {
    if (this.held === '' || this.stopped.aborted) return;
    this.link.onDelta({ jobId: this.job.order.jobId, sequence: this.sent++, text: this.held });
    this.held = '';
  }
}
