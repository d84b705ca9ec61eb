/** A runtime for what is to be waited for in vain, or canceled. */
export const NEVER_ENDING = { runtime: 'command', command: ['/bin/sh', '-c', 'exec sleep 600'] };
