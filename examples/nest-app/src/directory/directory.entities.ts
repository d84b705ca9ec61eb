import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An assistant of a team, on a computer of its. */
@Entity('helpers')
export class HelperEntity {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  team!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  computer!: string;

  @Column({ type: 'integer' })
  updatedAtMs!: number;

  /** Rises with every change. */
  @Column({ type: 'integer' })
  revision!: number;
}

/** A computer whose daemon may connect to the relay. */
@Entity('computers')
export class ComputerEntity {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  team!: string;

  /** As `hashSecret` makes it: the token itself is nowhere. */
  @Column({ type: 'text' })
  relayTokenHash!: string;

  /** 0 for one that never was. */
  @Column({ type: 'integer' })
  lastSeenAtMs!: number;
}
