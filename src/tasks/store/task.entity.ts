import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * The tables of the tasks as the schema check compares them with the migrations. Rows are read and written by SQL
 * (`save()` is several times slower), so the entities carry columns and indexes and no behavior. The reply comes
 * last, so that reading the other columns of a row does not walk through it.
 *
 * The list indexes carry state and expiry, so that counting and filtering do not touch the rows, and that of the
 * lists the creation, so that it serves the quota as well. What a task changes is pages: one for each index whose
 * order is not that of time (ADR 0020).
 */
@Entity('tasks')
@Index('tasks_list', ['account_id', 'agent_id', 'status_at', 'id', 'state', 'expires_at', 'created_at'])
@Index('tasks_context', ['context_id', 'account_id', 'agent_id', 'status_at', 'id', 'state', 'expires_at'])
@Index('tasks_open_scope', ['account_id', 'agent_id', 'state'], {
  where: `state IN ('submitted', 'working', 'input_required')`,
})
@Index('tasks_open', ['computer_id', 'last_checked_at', 'id'], {
  where: `state IN ('submitted', 'working', 'input_required')`,
})
@Index('tasks_open_expiry', ['expires_at'], {
  where: `state IN ('submitted', 'working', 'input_required')`,
})
@Index('tasks_expiry', ['expires_at', 'account_id', 'agent_id'])
@Index('tasks_retry_key', ['account_id', 'agent_id', 'retry_key'], { unique: true })
export class TaskEntity {
  @PrimaryColumn({ type: 'text' }) id!: string;
  @Column({ type: 'text' }) account_id!: string;
  @Column({ type: 'text' }) agent_id!: string;
  @Column({ type: 'text' }) context_id!: string;
  @Column({ type: 'text' }) computer_id!: string;
  @Column({ type: 'text' }) state!: string;
  @Column({ type: 'integer' }) status_at!: number;
  @Column({ type: 'integer' }) created_at!: number;
  @Column({ type: 'integer' }) expires_at!: number;
  @Column({ type: 'integer', default: 0 }) revision!: number;
  @Column({ type: 'boolean' }) interactive!: boolean;
  @Column({ type: 'boolean', default: false }) reply_truncated!: boolean;
  @Column({ type: 'integer', nullable: true }) last_checked_at!: number | null;
  @Column({ type: 'integer', nullable: true }) cancel_requested_at!: number | null;
  /** Position of an answer that is on its way to the daemon. */
  @Column({ type: 'integer', nullable: true }) pending_answer!: number | null;
  @Column({ type: 'text' }) retry_key!: string;
  @Column({ type: 'text' }) fingerprint!: string;
  @Column({ type: 'text', nullable: true }) status_text!: string | null;
  @Column({ type: 'text', nullable: true }) reply!: string | null;
}
