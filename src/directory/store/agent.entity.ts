import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import type { AgentSkill, Visibility } from '../agent-directory.js';
import { AccountEntity } from './account.entity.js';
import { ComputerEntity } from './computer.entity.js';
import { DirectoryEntry } from './directory-entry.js';

@Entity('agents')
@Index('agents_address', ['accountId', 'handle'], { unique: true, where: 'active' })
@Index('agents_computer', ['computerId'])
export class AgentEntity extends DirectoryEntry {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'account_id', type: 'text' })
  accountId!: string;

  @ManyToOne(() => AccountEntity)
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'account_of_agent' })
  account?: Relation<AccountEntity>;

  @Column({ name: 'computer_id', type: 'text' })
  computerId!: string;

  @ManyToOne(() => ComputerEntity)
  @JoinColumn({ name: 'computer_id', foreignKeyConstraintName: 'computer_of_agent' })
  computer?: Relation<ComputerEntity>;

  @Column({ type: 'text' })
  handle!: string;

  @Column({ type: 'text' })
  visibility!: Visibility;

  @Column({ name: 'link_key_hash', type: 'text', nullable: true })
  linkKeyHash!: string | null;

  @Column({ type: 'boolean' })
  published!: boolean;

  @Column({ type: 'text', nullable: true })
  name!: string | null;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ type: 'text', nullable: true })
  version!: string | null;

  @Column({ type: 'simple-json' })
  skills!: AgentSkill[];

  @Column({ name: 'updated_at', type: 'integer' })
  updatedAtMs!: number;

  @Column({ type: 'integer' })
  revision!: number;
}
