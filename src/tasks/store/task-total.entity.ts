import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How many rows of a scope are in a finished state; kept by triggers, so that counting walks no list. */
@Entity('task_totals', { withoutRowid: true })
export class TaskTotalEntity {
  @PrimaryColumn({ type: 'text' }) account_id!: string;
  @PrimaryColumn({ type: 'text' }) agent_id!: string;
  @PrimaryColumn({ type: 'text' }) state!: string;
  @Column({ type: 'integer' }) total!: number;
}
