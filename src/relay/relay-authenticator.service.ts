import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { hashSecret } from '../common/index.js';
import { AgentDirectory } from '../directory/index.js';

/** Who is at the other end of a socket, and by which token; the hash tells later whether it still opens. */
export interface RelayIdentity {
  computerId: string;
  tokenHash: string;
}

/** Longer than any token that is issued; keeps the look-up from hashing whatever is sent. */
const CREDENTIALS = /^Bearer +(rt_[A-Za-z0-9_-]{1,200}) *$/i;

/** Decides at the HTTP upgrade who connects (R1), and remembers it for the gateway. */
@Injectable()
export class RelayAuthenticator {
  private readonly identities = new WeakMap<IncomingMessage, RelayIdentity>();

  constructor(private readonly directory: AgentDirectory) {}

  /**
   * @returns whether the request carries a relay token that opens a computer
   * @throws whatever the directory throws when it cannot be read
   */
  async admits(request: IncomingMessage): Promise<boolean> {
    const token = CREDENTIALS.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) return false;
    const computer = await this.directory.findComputerByRelayToken(token);
    if (!computer) return false;
    this.identities.set(request, { computerId: computer.id, tokenHash: hashSecret(token) });
    return true;
  }

  /** @returns the identity, or `undefined` for a request that was never admitted */
  identityOf(request: IncomingMessage): RelayIdentity | undefined {
    return this.identities.get(request);
  }

  /** Whether the token with which a session was opened still opens the same computer. */
  async stillAdmits({ computerId, tokenHash }: RelayIdentity): Promise<boolean> {
    const computer = await this.directory.findComputer(computerId);
    return computer?.relayTokenHash === tokenHash;
  }
}
