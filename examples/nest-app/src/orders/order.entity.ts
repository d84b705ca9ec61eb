import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity('orders')
export class OrderEntity {
  @PrimaryGeneratedColumn()
  number!: number;

  @Column({ type: 'text' })
  accountId!: string;

  @Column({ type: 'text' })
  text!: string;

  @Column({ type: 'text' })
  state!: 'draft' | 'placed';
}
