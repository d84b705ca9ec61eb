import { hashSecret } from '../common/index.js';
import { linkKeysOf, visibleTo } from './visible-to.js';

const KEY = 'key-é-with-é';
const agent = (visibility: 'public' | 'link' | 'private') => ({
  accountId: 'acct-alice',
  visibility,
  linkKeyHash: hashSecret(KEY),
});

describe('visibleTo', () => {
  it('[C3] shows a public assistant to everybody', () => {
    expect(visibleTo(agent('public'), { linkKeys: [] })).toBe(true);
    expect(visibleTo(agent('public'), { caller: 'acct-bob', linkKeys: ['wrong', 'wrong'] })).toBe(true);
  });

  it('[C4] shows a private assistant to its owner alone, whatever key is sent', () => {
    expect(visibleTo(agent('private'), { caller: 'acct-alice', linkKeys: [] })).toBe(true);
    expect(visibleTo(agent('private'), { caller: 'acct-bob', linkKeys: [KEY] })).toBe(false);
    expect(visibleTo(agent('private'), { linkKeys: [KEY] })).toBe(false);
  });

  it('[C5] shows a link-only assistant to its owner and to whoever has the key', () => {
    expect(visibleTo(agent('link'), { caller: 'acct-alice', linkKeys: ['wrong'] })).toBe(true);
    expect(visibleTo(agent('link'), { linkKeys: [KEY] })).toBe(true);
    expect(visibleTo(agent('link'), { caller: 'acct-bob', linkKeys: [KEY] })).toBe(true);
  });

  it.each([
    ['missing', []],
    ['empty', ['']],
    ['one letter', ['k']],
    ['of the right length in characters', ['key-e-with-e']],
    ['repeated', [KEY, KEY]],
    ['beside another', [KEY, 'wrong']],
    ['with a NUL', ['\0']],
    ['with a NUL after the right key', [`${KEY}\0`]],
    ['10 kB long', ['k'.repeat(10_240)]],
    ['the stored hash', [hashSecret(KEY)]],
  ])('[C5] [B53] takes a key that is %s for a wrong one', (_name, linkKeys) => {
    expect(visibleTo(agent('link'), { linkKeys })).toBe(false);
    expect(visibleTo(agent('link'), { caller: 'acct-bob', linkKeys })).toBe(false);
  });

  it('[C5] opens a link-only assistant without a stored key to its owner alone', () => {
    const broken = { accountId: 'acct-alice', visibility: 'link' as const };
    expect(visibleTo(broken, { linkKeys: [''] })).toBe(false);
    expect(visibleTo(broken, { caller: 'acct-alice', linkKeys: [] })).toBe(true);
  });
});

describe('linkKeysOf', () => {
  it.each([
    [{}, []],
    [{ k: 'a' }, ['a']],
    [{ k: ['a', 'b'] }, ['a', 'b']],
    [{ k: { x: 'a' } }, ['']],
    [{ k: [{ x: 'a' }] }, ['']],
    [{ 'k[]': 'a' }, []],
  ])('[B53] makes no key of a form that is not text: %j', (query, expected) => {
    expect(linkKeysOf(query)).toEqual(expected);
  });
});
