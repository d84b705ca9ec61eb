import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { TaskEntity } from './task.entity.js';

/** Messages of a task in the order in which they came; they go when the task goes (requirement K2). */
@Entity('messages')
export class MessageEntity {
  @PrimaryColumn({ type: 'text' }) task_id!: string;
  @PrimaryColumn({ type: 'integer' }) position!: number;
  /** The message as JSON; its metadata is opaque (requirement W8). */
  @Column({ type: 'text' }) body!: string;

  @ManyToOne(() => TaskEntity, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({ name: 'task_id', foreignKeyConstraintName: 'messages_of_task' })
  task!: Relation<TaskEntity>;
}
