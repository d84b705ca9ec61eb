import { UseGuards } from '@nestjs/common';
import { Assistant, type AssistantContext, type AssistantJob } from 'hello-api';
import { CustomersOnly } from './customers-only.guard.js';
import { OrderService } from './order.service.js';

/** Takes what a customer writes as an order, and places it after a yes. */
@Assistant({
  handle: 'orders',
  account: { id: 'acct-shop', username: 'shop' },
  visibility: 'public',
  name: 'Orders',
  description: 'Takes orders for the shop',
})
@UseGuards(CustomersOnly)
export class OrdersAssistant {
  constructor(private readonly orders: OrderService) {}

  async *run(job: AssistantJob, context: AssistantContext): AsyncGenerator<string> {
    // With the answer the run begins anew; without `once` there would then be a second order.
    const number = await context.once('draft', () => this.orders.draft(job.accountId, job.text));
    yield `Order ${number}: ${job.text}. `;
    if (!context.interactive) {
      yield 'It is kept as a draft.';
      return;
    }
    if ((await context.ask(`Place order ${number}?`)) !== 'yes') {
      yield 'It was not placed.';
      return;
    }
    await this.orders.place(number);
    yield 'It is placed.';
  }
}
