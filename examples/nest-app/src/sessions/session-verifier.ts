import { Injectable } from '@nestjs/common';
import { AccountTokenVerifier } from 'hello-api';
import { Sessions } from './sessions.js';

/** Who has a session in the shop may talk to its assistants. */
@Injectable()
export class SessionVerifier extends AccountTokenVerifier {
  constructor(private readonly sessions: Sessions) {
    super();
  }

  async verify(token: string): Promise<string | undefined> {
    return this.sessions.accountOf(token);
  }
}
