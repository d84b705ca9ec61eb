import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Keys that the service made for itself on first use and needs again after a restart. */
@Entity('signing_keys')
export class SigningKeyEntity {
  @PrimaryColumn({ type: 'text' }) name!: string;
  @Column({ type: 'text' }) value!: string;
}
