import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Agent } from '../directory/index.js';
import { agentCard } from './agent-card.js';
import { profileOf } from './agent-profile.js';
import { AgentUrls, addressText } from './agent-urls.js';
import type { VisibleAgent } from './agent-access.service.js';
import { DiscoverySettings } from './discovery-settings.js';
import { legacyMetadata } from './legacy-metadata.js';
import { publishedCard } from './published-card.js';

const CACHE_BYTES = 16 * 1024 * 1024;

/** A document about an assistant, as it goes over the wire. */
export interface AgentDocument {
  /** A text, which Node sends in one piece with the head. */
  text: string;
  /** How it is sent: what has only ASCII needs no encoder. */
  encoding: 'latin1' | 'utf8';
  bytes: number;
  /** Strong entity tag over the bytes. */
  etag: string;
}

type DocumentKind = 'card' | 'published' | 'legacy';

/** Makes the documents; each once for a revision of its assistant and the key under which it is served. */
@Injectable()
export class AgentDocuments {
  private readonly urls: AgentUrls;
  private readonly documents = new LRUCache<string, AgentDocument>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (document) => document.bytes,
  });

  constructor(settings: DiscoverySettings) {
    this.urls = new AgentUrls(settings.publicBaseUrl);
  }

  card({ agent, linkKey }: VisibleAgent): AgentDocument {
    return this.once('card', { agent, linkKey }, () =>
      agentCard(profileOf(agent), this.urls.rpc(agent, linkKey)),
    );
  }

  publishedCard(agent: Agent): AgentDocument {
    return this.once('published', { agent, linkKey: undefined }, () =>
      publishedCard(profileOf(agent), this.urls.publishedRpc(agent.id)),
    );
  }

  legacy({ agent, linkKey }: VisibleAgent): AgentDocument {
    return this.once('legacy', { agent, linkKey }, () =>
      legacyMetadata(profileOf(agent), addressText(agent), this.urls.card(agent, linkKey)),
    );
  }

  private once(
    kind: DocumentKind,
    visible: VisibleAgent,
    build: () => Record<string, unknown>,
  ): AgentDocument {
    const key = cacheKey(kind, visible.agent, visible.linkKey);
    const known = this.documents.get(key);
    if (known) return known;
    const document = documentOf(JSON.stringify(build()));
    this.documents.set(key, document);
    return document;
  }
}

function documentOf(text: string): AgentDocument {
  const bytes = Buffer.byteLength(text);
  return {
    text,
    encoding: bytes === text.length ? 'latin1' : 'utf8',
    bytes,
    etag: `"${createHash('sha256').update(text).digest('base64url')}"`,
  };
}

function cacheKey(kind: DocumentKind, agent: Agent, linkKey: string | undefined): string {
  return `${kind} ${agent.revision} ${linkKey?.length ?? '-'} ${linkKey ?? ''} ${agent.id}`;
}
