import { Column } from 'typeorm';
import type { EntrySource } from '../agent-directory.js';

/** What every entry of the directory has. Rows are deactivated and never deleted: tasks and open links refer to them. */
export abstract class DirectoryEntry {
  /** Who decides what the entry says: the directory file, or commands. */
  @Column({ type: 'text', default: 'file' })
  source!: EntrySource;

  /** Milliseconds since the epoch; `null` for entries of before this was noted. */
  @Column({ name: 'created_at', type: 'integer', nullable: true })
  createdAtMs!: number | null;

  /** Milliseconds since the epoch; `null` while active, and for what went before this was noted. */
  @Column({ name: 'deactivated_at', type: 'integer', nullable: true })
  deactivatedAtMs!: number | null;

  @Column({ type: 'boolean' })
  active!: boolean;
}
