import { All, Controller, UseFilters, VERSION_NEUTRAL } from '@nestjs/common';
import { NotFoundFailure } from '../common/index.js';
import { HttpFailureFilter } from '../rpc/index.js';

const EXPLANATION =
  'There is no card here: cards are per agent, at /a2a/@{username}/{handle}/.well-known/agent-card.json or, for A2A 0.3, at /a2a/{AGENT_ID}/.well-known/agent-card.json';

/** Where clients look for the card of a whole origin (requirement C6); no verb finds anything. */
@Controller({ path: ['.well-known/agent-card.json', '.well-known/agent.json'], version: VERSION_NEUTRAL })
@UseFilters(HttpFailureFilter)
export class RootCardController {
  @All()
  explain(): never {
    throw new NotFoundFailure(EXPLANATION);
  }
}
