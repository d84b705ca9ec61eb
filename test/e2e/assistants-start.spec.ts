import { Injectable, Module, Scope } from '@nestjs/common';
import { Assistant, type AssistantJob } from '../../src/index.js';
import { TestApi } from '../support/test-api.js';

const team = { id: 'acct-team', username: 'team' };

class Echo {
  async run({ text }: AssistantJob): Promise<string> {
    return text;
  }
}

describe('assistants that cannot be', () => {
  @Assistant({ handle: 'desk', account: team })
  class Desk extends Echo {}

  @Assistant({ handle: 'desk', account: { id: 'acct-bob', username: 'bob' } })
  class SecondDesk extends Echo {}

  @Assistant({ handle: 'helper', account: { id: 'acct-alice', username: 'alice' } })
  class SecondHelper extends Echo {}

  @Assistant({ handle: 'one', account: team, id: '6f0c1f5e-0000-4000-8000-000000000002' })
  class SecondTower extends Echo {}

  @Assistant({ handle: 'No Handle', account: team, visibility: 'link' })
  class Wrong extends Echo {}

  @Injectable({ scope: Scope.REQUEST })
  class PerRequest {}

  @Assistant({ handle: 'scoped', account: team })
  class Scoped extends Echo {
    constructor(readonly perRequest: PerRequest) {
      super();
    }
  }

  @Assistant({ handle: 'other-account', account: { ...team, id: 'acct-other' } })
  class OtherAccount extends Echo {}

  @Assistant({ handle: 'other-name', account: { ...team, username: 'other' } })
  class OtherName extends Echo {}

  @Assistant({ handle: 'hasty', account: team, timeoutSeconds: 0 })
  class Hasty extends Echo {}

  it.each([
    [
      'the handle of another',
      [Desk, SecondDesk],
      '@Assistant SecondDesk: has the handle desk of @Assistant Desk',
    ],
    [
      'an address of the directory',
      [SecondHelper],
      '@Assistant SecondHelper: agent 6f0c1f5e-0000-4000-8000-000000000001 of the directory has the address @alice/helper',
    ],
    [
      'an id of the directory',
      [SecondTower],
      '@Assistant SecondTower: @alice/tower of the directory has the id 6f0c1f5e-0000-4000-8000-000000000002',
    ],
    ['no handle and no key', [Wrong], '@Assistant Wrong: handle: must be 1 to 64 lower-case letters'],
    [
      'a life of one request',
      [PerRequest, Scoped],
      '@Assistant Scoped: is request-scoped; assistants must be singletons',
    ],
    [
      'itself, in another module',
      [Desk, { provide: 'TEAM_DESK', useClass: Desk }],
      '@Assistant Desk: is a provider of two modules; provide it in one, which exports it',
    ],
    [
      'the name of another account',
      [Desk, OtherAccount],
      '@Assistant OtherAccount: has the username team, with another account id, of @Assistant Desk',
    ],
    [
      'an account of another name',
      [Desk, OtherName],
      '@Assistant OtherName: has the account id acct-team, with another username, of @Assistant Desk',
    ],
    ['no time', [Hasty], '@Assistant Hasty: timeoutSeconds: must be more than 0'],
  ])('[O1] stop the start, and name whom they meet: %s', async (_what, providers, message) => {
    @Module({ providers })
    class Extension {}
    await expect(TestApi.start({}, { imports: [Extension] })).rejects.toThrow(message);
  });
});
