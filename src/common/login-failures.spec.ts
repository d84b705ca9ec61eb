import { TooManyRequestsFailure } from './http-failures.js';
import { LoginFailures, credentialIn } from './login-failures.js';

describe('LoginFailures', () => {
  let nowMs: number;
  let failures: LoginFailures;
  beforeEach(() => {
    nowMs = 1_000_000;
    failures = new LoginFailures(2, { now: () => nowMs });
  });

  const refused = (address: string | undefined): boolean => {
    try {
      failures.note('account_token', address);
      return false;
    } catch (error) {
      expect(error).toBeInstanceOf(TooManyRequestsFailure);
      return true;
    }
  };

  it('[H2] refuses the failures past the limit, until the minute that began with the first is over', () => {
    expect([refused('192.0.2.1'), refused('192.0.2.1'), refused('192.0.2.1')]).toEqual([false, false, true]);
    nowMs += 59_999;
    expect(refused('192.0.2.1')).toBe(true);
    nowMs += 1;
    expect(refused('192.0.2.1')).toBe(false);
  });

  it('[W5] says when the minute is over', () => {
    for (let at = 0; at < 2; at += 1) refused('192.0.2.1');
    nowMs += 20_000;
    expect(() => failures.note('api_key', '192.0.2.1')).toThrow(
      expect.objectContaining({ retryAfterSeconds: 40 }) as Error,
    );
  });

  it.each([
    ['192.0.2.1', '::ffff:192.0.2.1', true],
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
    ['2001:db8::1', '2001:db8:0:0:5::', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['192.0.2.1', '192.0.2.2', false],
  ])('[B62] counts %s and %s together: %s', (one, other, together) => {
    for (let at = 0; at < 2; at += 1) refused(one);
    expect(refused(other)).toBe(together);
  });

  it('[O2] counts by what was sent', () => {
    expect(['Bearer hi_x', 'Bearer rt_x', 'Bearer a.b.c'].map(credentialIn)).toEqual([
      'api_key',
      'relay_token',
      'account_token',
    ]);
    failures.note('relay_token', undefined);
    expect(failures.counts.get('relay_token')).toBe(1);
  });
});
