import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { DirectoryEntry } from './directory-entry.js';

@Entity('accounts')
@Index('accounts_username', ['username'], { unique: true, where: 'active' })
export class AccountEntity extends DirectoryEntry {
  /** `sub` of the account's tokens. */
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  username!: string;
}
