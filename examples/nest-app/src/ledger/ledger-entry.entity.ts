import type { TaskChange } from 'hello-api';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** That something happened to a task; one row for each kind, however often it is told. */
@Entity('ledger')
export class LedgerEntry {
  @PrimaryColumn({ type: 'text' })
  taskId!: string;

  @PrimaryColumn({ type: 'text' })
  kind!: TaskChange['kind'];

  @Column({ type: 'text' })
  accountId!: string;

  @Column({ type: 'text' })
  state!: TaskChange['state'];

  @Column({ type: 'integer' })
  statusAtMs!: number;
}
