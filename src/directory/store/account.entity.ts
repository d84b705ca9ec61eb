import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Rows are deactivated and never deleted: tasks and open links refer to them. */
@Entity('accounts')
@Index('accounts_username', ['username'], { unique: true, where: 'active' })
export class AccountEntity {
  /** `sub` of the account's tokens. */
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  username!: string;

  @Column({ type: 'boolean' })
  active!: boolean;
}
