import { closeReason } from './close-reason.js';

describe('closeReason', () => {
  it('[R7] fits into a close frame, and never cuts a character', () => {
    expect(closeReason('too many frames')).toBe('too many frames');
    expect(closeReason('x'.repeat(500))).toBe('x'.repeat(123));
    const cut = closeReason('😀'.repeat(100));
    expect(cut).toBe('😀'.repeat(30));
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(123);
  });
});
