import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { agentOf } from '../support/agent-directory-double.js';
import { startDiscovery, type DiscoveryApp } from '../support/discovery-app.js';

/** What clients have read since the first release. A change here breaks somebody: make it on purpose. */
const CARD = `{
  "name": "Helper",
  "description": "Answers questions about the garden.",
  "supportedInterfaces": [
    {
      "url": "https://api.example/a2a/@alice/helper",
      "protocolBinding": "JSONRPC",
      "protocolVersion": "1.0"
    }
  ],
  "version": "2.1.0",
  "capabilities": {
    "streaming": false,
    "pushNotifications": false,
    "extendedAgentCard": false
  },
  "securitySchemes": {
    "accountToken": {
      "httpAuthSecurityScheme": {
        "scheme": "Bearer",
        "bearerFormat": "JWT"
      }
    }
  },
  "securityRequirements": [
    {
      "schemes": {
        "accountToken": {
          "list": []
        }
      }
    }
  ],
  "defaultInputModes": [
    "text/plain"
  ],
  "defaultOutputModes": [
    "text/plain"
  ],
  "skills": [
    {
      "id": "plants",
      "name": "Plants",
      "description": "Names a plant.",
      "tags": [
        "garden"
      ],
      "examples": [
        "What grows in shade?"
      ]
    }
  ]
}`;

const PUBLISHED = `{
  "protocolVersion": "0.3.0",
  "name": "Helper",
  "description": "Answers questions about the garden.",
  "url": "https://api.example/a2a/agent-helper",
  "preferredTransport": "JSONRPC",
  "version": "2.1.0",
  "capabilities": {
    "streaming": true,
    "pushNotifications": false,
    "stateTransitionHistory": false
  },
  "securitySchemes": {
    "bearerAuth": {
      "type": "http",
      "scheme": "bearer"
    }
  },
  "security": [
    {
      "bearerAuth": []
    }
  ],
  "defaultInputModes": [
    "text/plain"
  ],
  "defaultOutputModes": [
    "text/plain"
  ],
  "skills": [
    {
      "id": "chat",
      "name": "Chat",
      "description": "Answers text messages as Helper.",
      "tags": [
        "chat"
      ]
    },
    {
      "id": "plants",
      "name": "Plants",
      "description": "Names a plant.",
      "tags": [
        "garden"
      ],
      "examples": [
        "What grows in shade?"
      ]
    }
  ],
  "supportsAuthenticatedExtendedCard": false
}`;

const LEGACY = `{
  "type": "hello.agent-metadata",
  "address": "@alice/helper",
  "name": "Helper",
  "description": "Answers questions about the garden.",
  "version": "2.1.0",
  "skills": [
    {
      "id": "plants",
      "name": "Plants",
      "description": "Names a plant.",
      "tags": [
        "garden"
      ],
      "examples": [
        "What grows in shade?"
      ]
    }
  ],
  "agentCardUrl": "https://api.example/a2a/@alice/helper/.well-known/agent-card.json"
}`;

let running: DiscoveryApp;

beforeAll(async () => {
  running = await startDiscovery();
  running.directory.agents.push(
    agentOf({
      published: true,
      name: 'Helper',
      description: 'Answers questions about the garden.',
      version: '2.1.0',
      skills: [
        {
          id: 'plants',
          name: 'Plants',
          description: 'Names a plant.',
          tags: ['garden'],
          examples: ['What grows in shade?'],
        },
      ],
    }),
  );
});

afterAll(() => running.app.close());

async function textAt(path: string): Promise<string> {
  const response = await request(running.app.getHttpServer()).get(path).expect(200);
  return response.text;
}

describe('documents about an assistant', () => {
  it('[C1] the card is this', async () => {
    const text = await textAt('/a2a/@alice/helper/.well-known/agent-card.json');
    expect(text).toBe(JSON.stringify(JSON.parse(CARD)));
  });

  it('[P1] the 0.3 card is this', async () => {
    const text = await textAt('/a2a/agent-helper/.well-known/agent-card.json');
    expect(text).toBe(JSON.stringify(JSON.parse(PUBLISHED)));
  });

  it('[C7] the legacy metadata is this', async () => {
    const text = await textAt('/@alice/helper/.well-known/agent.json');
    expect(text).toBe(JSON.stringify(JSON.parse(LEGACY)));
  });
});
