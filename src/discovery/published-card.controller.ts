import { All, Controller, Get, Param, Req, Res, UseFilters, VERSION_NEUTRAL } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { MethodNotAllowedFailure, NotFoundFailure } from '../common/index.js';
import { HttpFailureFilter } from '../rpc/index.js';
import { AgentDirectory } from '../directory/index.js';
import { AgentDocuments } from './agent-documents.service.js';
import { DOCUMENT_VERBS } from './agent-routes.js';
import { forbidCaching, sendDocument } from './send-document.js';

/** The card's name in 0.3, and its name of before, which clients of that time still try first. */
const CARD_NAMES = ['agent-card.json', 'agent.json'];

/** The A2A 0.3 card of a published agent: for everybody, whoever may see its 1.0 address (requirement P1). */
@Controller({
  path: CARD_NAMES.map((name) => `a2a/:agentId/.well-known/${name}`),
  version: VERSION_NEUTRAL,
})
@UseFilters(HttpFailureFilter)
export class PublishedCardController {
  constructor(
    private readonly directory: AgentDirectory,
    private readonly documents: AgentDocuments,
  ) {}

  @Get()
  async card(
    @Param('agentId') agentId: string,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    forbidCaching(response);
    const agent = await this.directory.findById(agentId);
    if (!agent?.published) throw new NotFoundFailure();
    sendDocument({ request, response }, this.documents.publishedCard(agent), {
      isPublic: true,
      updatedAtMs: agent.updatedAtMs,
    });
  }

  @All()
  refuse(): never {
    throw new MethodNotAllowedFailure(DOCUMENT_VERBS);
  }
}
