import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { AccountEntity } from './account.entity.js';
import { DirectoryEntry } from './directory-entry.js';

@Entity('api_keys')
export class ApiKeyEntity extends DirectoryEntry {
  @PrimaryColumn({ name: 'key_hash', type: 'text' })
  keyHash!: string;

  @Column({ name: 'account_id', type: 'text' })
  accountId!: string;

  @ManyToOne(() => AccountEntity)
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'account_of_api_key' })
  account?: Relation<AccountEntity>;

  /** What its owner calls it. */
  @Column({ type: 'text', nullable: true })
  label!: string | null;
}
