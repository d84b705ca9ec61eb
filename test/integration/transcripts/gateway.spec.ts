import { GatewaySide, openLink } from '../../support/transcript-gateway.js';
import { transcriptsFor, type Transcript } from '../../support/transcript-file.js';
import type { TranscriptLink } from '../../support/transcript-link.js';
import type { Names } from '../../support/transcript-names.js';
import { type Act, play, type TestedSide } from '../../support/transcript-runner.js';
import { type RelayApp, startRelay } from '../relay/relay-app.js';

/** The relay alone, for what the service does on a schedule that no test can wait for. */
class RelaySide implements TestedSide {
  readonly side = 'gateway';

  constructor(private readonly relay: RelayApp) {}

  connect(): Promise<TranscriptLink> {
    return openLink(this.relay.url, 'rt_one');
  }

  async act(step: Act, names: Names): Promise<void> {
    if (!('api_forgets' in step)) throw new Error('the relay alone has no callers');
    this.relay.executor.forget('computer-1', names.render(step.api_forgets) as string[]);
  }

  close(): Promise<void> {
    return this.relay.app.close();
  }
}

const forgets = ({ steps }: Transcript): boolean => steps.some((step) => 'api_forgets' in step);

describe('the gateway in the recorded conversations', () => {
  it.each(transcriptsFor('gateway').map((transcript) => [transcript.title, transcript] as const))(
    '%s',
    async (_title, transcript) => {
      const side = forgets(transcript) ? new RelaySide(await startRelay()) : await GatewaySide.open();
      try {
        await play(transcript, side);
      } finally {
        await side.close();
      }
    },
  );
});
