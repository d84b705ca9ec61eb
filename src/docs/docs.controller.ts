import { Controller, Get, Header, NotFoundException, VERSION_NEUTRAL } from '@nestjs/common';
import { AppConfig } from '../config/index.js';
import { PAGE_POLICY, docsPage } from './docs-page.js';
import { openApiDocument } from './openapi-document.js';

/** Of the interface that the document describes (Semantic Versioning). */
const API_VERSION = '1.0.0';

/** The description of the API; a 404 unless DOCS_ENABLED is true. */
@Controller({ path: 'docs', version: VERSION_NEUTRAL })
export class DocsController {
  constructor(private readonly config: AppConfig) {}

  @Get()
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Content-Security-Policy', PAGE_POLICY)
  page(): string {
    return docsPage(this.baseUrl());
  }

  @Get('openapi.json')
  document(): object {
    return openApiDocument({ baseUrl: this.baseUrl(), version: API_VERSION });
  }

  private baseUrl(): string {
    if (!this.config.docs.enabled) throw new NotFoundException();
    return this.config.http.publicBaseUrl;
  }
}
