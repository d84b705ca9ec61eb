import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** Random bytes for one id, and for how many they are fetched at once: a fetch costs as much as a log line. */
const BYTES = 16;
const AT_ONCE = 256;

/** New identifiers that nobody can guess and that sort by the time they were made (UUIDv7). */
export abstract class IdGenerator {
  abstract next(): string;
}

export class UuidGenerator extends IdGenerator {
  readonly #random = Buffer.alloc(BYTES * AT_ONCE);
  #used = this.#random.length;
  #msecs = Number.NEGATIVE_INFINITY;
  #sequence = 0;

  /** Within a millisecond, and while the clock stands or goes back, the sequence goes up (RFC 9562, section 6.2). */
  next(): string {
    const random = this.#nextRandom();
    const now = Date.now();
    if (now > this.#msecs) {
      this.#msecs = now;
      // Half of the range, so that there is room to go up.
      this.#sequence = random.readUInt32BE(6) >>> 1;
    } else {
      this.#sequence = (this.#sequence + 1) | 0;
      if (this.#sequence === 0) this.#msecs += 1;
    }
    return v7({ random, msecs: this.#msecs, seq: this.#sequence });
  }

  /** Every byte serves once. */
  #nextRandom(): Buffer {
    if (this.#used === this.#random.length) {
      randomFillSync(this.#random);
      this.#used = 0;
    }
    this.#used += BYTES;
    return this.#random.subarray(this.#used - BYTES, this.#used);
  }
}
