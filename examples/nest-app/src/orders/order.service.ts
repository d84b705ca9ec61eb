import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { OrderEntity } from './order.entity.js';

/** The shop's orders. It knows nothing of assistants. */
@Injectable()
export class OrderService {
  constructor(@InjectRepository(OrderEntity) private readonly orders: Repository<OrderEntity>) {}

  /** @returns the number of a new order */
  async draft(accountId: string, text: string): Promise<number> {
    const { identifiers } = await this.orders.insert({ accountId, text, state: 'draft' });
    return (identifiers[0] as Pick<OrderEntity, 'number'>).number;
  }

  async place(number: number): Promise<void> {
    await this.orders.update({ number }, { state: 'placed' });
  }

  async find(accountId: string, number: number): Promise<OrderEntity | undefined> {
    return (await this.orders.findOneBy({ accountId, number })) ?? undefined;
  }

  ofAccount(accountId: string): Promise<OrderEntity[]> {
    return this.orders.find({ where: { accountId }, order: { number: 'ASC' } });
  }
}
