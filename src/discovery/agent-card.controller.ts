import { All, Controller, Get, Param, Req, Res, UseFilters, VERSION_NEUTRAL } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { MethodNotAllowedFailure, NotFoundFailure } from '../common/index.js';
import { HttpFailureFilter } from '../rpc/index.js';
import { AgentAccess, type DocumentRequest } from './agent-access.service.js';
import { AgentDocuments } from './agent-documents.service.js';
import { DOCUMENT_VERBS, agentRoutes } from './agent-routes.js';
import type { AgentAddress } from './agent-urls.js';
import { cachingOf, forbidCaching, sendDocument } from './send-document.js';

/** The A2A 1.0 card of an assistant (requirements C1–C5). */
@Controller({ path: agentRoutes('a2a/', '.well-known/agent-card.json'), version: VERSION_NEUTRAL })
@UseFilters(HttpFailureFilter)
export class AgentCardController {
  constructor(
    private readonly access: AgentAccess,
    private readonly documents: AgentDocuments,
  ) {}

  @Get()
  async card(
    @Param() address: AgentAddress,
    @Req() request: DocumentRequest,
    @Res() response: ServerResponse,
  ): Promise<void> {
    forbidCaching(response);
    const visible = await this.access.find(address, request);
    sendDocument({ request, response }, this.documents.card(visible), cachingOf(visible));
  }

  @All()
  refuse(): never {
    throw new MethodNotAllowedFailure(DOCUMENT_VERBS);
  }
}

/** The card's file name of before 0.3; clients try it below a 1.0 address, where it is nothing. */
@Controller({ path: agentRoutes('a2a/', '.well-known/agent.json'), version: VERSION_NEUTRAL })
@UseFilters(HttpFailureFilter)
export class FormerCardController {
  @All()
  refuse(): never {
    throw new NotFoundFailure();
  }
}
