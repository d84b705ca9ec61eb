import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { TaskEntity } from './task.entity.js';

/** The retry keys of answers to questions (requirements S5, P6); they go when their task goes. */
@Entity('answers')
@Index('answers_quota', ['account_id', 'created_at'])
@Index('answers_task', ['task_id'])
export class AnswerEntity {
  @PrimaryColumn({ type: 'text' }) account_id!: string;
  @PrimaryColumn({ type: 'text' }) agent_id!: string;
  @PrimaryColumn({ type: 'text' }) retry_key!: string;
  @Column({ type: 'text' }) fingerprint!: string;
  @Column({ type: 'text' }) task_id!: string;
  /** Of the answer among the messages of the task. */
  @Column({ type: 'integer' }) position!: number;
  @Column({ type: 'integer' }) created_at!: number;

  @ManyToOne(() => TaskEntity, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({ name: 'task_id', foreignKeyConstraintName: 'answers_of_task' })
  task!: Relation<TaskEntity>;
}
