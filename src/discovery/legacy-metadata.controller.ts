import { All, Controller, Get, Param, Req, Res, UseFilters, VERSION_NEUTRAL } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { MethodNotAllowedFailure } from '../common/index.js';
import { HttpFailureFilter } from '../rpc/index.js';
import { AgentAccess, type DocumentRequest } from './agent-access.service.js';
import { AgentDocuments } from './agent-documents.service.js';
import { DOCUMENT_VERBS, agentRoutes } from './agent-routes.js';
import type { AgentAddress } from './agent-urls.js';
import { cachingOf, forbidCaching, sendDocument } from './send-document.js';

/** Descriptive metadata at the address of before A2A (requirement C7); visibility and caching are those of cards. */
@Controller({ path: agentRoutes('', '.well-known/agent.json'), version: VERSION_NEUTRAL })
@UseFilters(HttpFailureFilter)
export class LegacyMetadataController {
  constructor(
    private readonly access: AgentAccess,
    private readonly documents: AgentDocuments,
  ) {}

  @Get()
  async metadata(
    @Param() address: AgentAddress,
    @Req() request: DocumentRequest,
    @Res() response: ServerResponse,
  ): Promise<void> {
    forbidCaching(response);
    const visible = await this.access.find(address, request);
    sendDocument({ request, response }, this.documents.legacy(visible), cachingOf(visible));
  }

  @All()
  refuse(): never {
    throw new MethodNotAllowedFailure(DOCUMENT_VERBS);
  }
}
