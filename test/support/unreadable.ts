function raise(): never {
  throw new Error('a secret of the trap');
}

/** What code of others can throw, and what cannot be made a text: each by its name. */
export const UNREADABLE: Record<string, () => unknown> = {
  'no prototype': () => Object.create(null),
  'a toString that throws': () => ({ toString: raise }),
  'a message that throws': () => Object.defineProperty(new Error('x'), 'message', { get: raise }),
  'a proxy': () => new Proxy({}, { get: raise, getPrototypeOf: raise, ownKeys: raise }),
  'a proxy of an error': () => new Proxy(new Error('x'), { get: raise }),
};
