import { Controller, Get, Req, UseGuards } from '@nestjs/common';
import { SessionGuard, type ShopRequest } from '../sessions/session.guard.js';
import { OrderService } from './order.service.js';

/** An address of the shop's own, beside those of assistants. */
@Controller('orders')
@UseGuards(SessionGuard)
export class OrdersController {
  constructor(private readonly orders: OrderService) {}

  @Get()
  async list(@Req() { accountId = '' }: ShopRequest) {
    const orders = await this.orders.ofAccount(accountId);
    return { orders: orders.map(({ number, text, state }) => ({ number, text, state })) };
  }
}
