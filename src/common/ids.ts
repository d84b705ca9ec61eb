import { v7 } from 'uuid';

/** New identifiers that nobody can guess and that sort by the time they were made (UUIDv7). */
export abstract class IdGenerator {
  abstract next(): string;
}

export class UuidGenerator extends IdGenerator {
  next(): string {
    return v7();
  }
}
