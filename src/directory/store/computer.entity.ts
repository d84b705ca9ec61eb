import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { AccountEntity } from './account.entity.js';
import { DirectoryEntry } from './directory-entry.js';

@Entity('computers')
@Index('computers_relay_token', ['relayTokenHash'], { unique: true, where: 'active' })
export class ComputerEntity extends DirectoryEntry {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'account_id', type: 'text' })
  accountId!: string;

  @ManyToOne(() => AccountEntity)
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'account_of_computer' })
  account?: Relation<AccountEntity>;

  @Column({ name: 'relay_token_hash', type: 'text' })
  relayTokenHash!: string;

  /** Milliseconds since the epoch; `null` until its daemon was first heard of. */
  @Column({ name: 'last_seen_at', type: 'integer', nullable: true })
  lastSeenAtMs!: number | null;
}
