import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { HealthCheckService, HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import { untilAborted } from '../common/index.js';
import type { ReadinessProbe } from './readiness-probe.js';

/** A probe that does not answer in time is not ready: load balancers do not wait either. */
const PATIENCE_MS = 2000;

export interface ReadinessReport {
  ready: boolean;
  body: object;
}

/** Whether the service should get requests (requirement O2). */
@Injectable()
export class Readiness implements OnModuleDestroy {
  #on = true;

  constructor(
    private readonly probes: readonly ReadinessProbe[],
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
  ) {}

  /** From now on not ready, so that balancers send nothing more; first step of a shutdown (requirement R8). */
  turnOff(): void {
    this.#on = false;
  }

  onModuleDestroy(): void {
    this.turnOff();
  }

  async report(): Promise<ReadinessReport> {
    const accepting: ReadinessProbe = { name: 'accepting', isReady: () => this.#on };
    const result = await this.health
      .check([accepting, ...this.probes].map((probe) => () => this.ask(probe)))
      // Terminus reports "not ready" by throwing; here it is an answer like any other.
      .catch((error: { getResponse?: () => object }) => error.getResponse?.() ?? { status: 'error' });
    const ready = 'status' in result && result.status === 'ok';
    return { ready, body: result };
  }

  private async ask(probe: ReadinessProbe): Promise<HealthIndicatorResult> {
    const answer = Promise.resolve()
      .then(() => probe.isReady())
      .catch(() => false);
    const ready = await untilAborted(answer, AbortSignal.timeout(PATIENCE_MS));
    const indicator = this.indicators.check(probe.name);
    return ready === true ? indicator.up() : indicator.down();
  }
}
