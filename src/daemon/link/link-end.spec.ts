import { decide, type LinkEnd } from './link-end.js';

describe('decide', () => {
  const closed = (code: number, reason = ''): LinkEnd => ({ kind: 'closed', code, reason });
  const of = (end: LinkEnd) => {
    const decision = decide(end, 'me');
    return decision.kind === 'stop' ? decision.reason : decision.kind;
  };

  it.each<[LinkEnd, string]>([
    [{ kind: 'refused', status: 401 }, 'token_bad'],
    [{ kind: 'refused', status: 403 }, 'back_off'],
    [{ kind: 'refused', status: 503 }, 'back_off'],
    [{ kind: 'failed', error: 'ECONNREFUSED' }, 'back_off'],
    [{ kind: 'incompatible', missing: 'x' }, 'incompatible'],
    [closed(1001), 'at_once'],
    [closed(1012), 'at_once'],
    [closed(1006), 'back_off'],
    [closed(1009), 'back_off'],
    [closed(4400), 'back_off'],
    [closed(4401), 'token_bad'],
    [closed(4403), 'token_revoked'],
    [closed(4406), 'incompatible'],
    [closed(4408), 'back_off'],
    [closed(4429), 'back_off'],
    [closed(4409, 'instance other took over'), 'replaced'],
    [closed(4409, 'instance me took over'), 'back_off'],
    [closed(4409), 'back_off'],
  ])('[R3] after %j it does: %s', (end, expected) => {
    expect(of(end)).toBe(expected);
  });
});
