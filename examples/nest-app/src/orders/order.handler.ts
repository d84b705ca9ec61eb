import { IsInt, Min } from 'class-validator';
import { A2AHandler, A2AMethod, Caller, InvalidParamsError, Params, type CallerAccount } from 'hello-api';
import { OrderService } from './order.service.js';

export class OrderParams {
  @IsInt()
  @Min(1)
  number!: number;
}

/** A method of the shop's own, at every assistant's address. */
@A2AHandler('1.0')
export class OrderHandler {
  constructor(private readonly orders: OrderService) {}

  @A2AMethod('x.shop/order')
  async find(@Params() { number }: OrderParams, @Caller() { accountId }: CallerAccount) {
    const order = await this.orders.find(accountId, number);
    if (!order) throw new InvalidParamsError([{ field: 'number', description: 'is no order of yours' }]);
    return { number, text: order.text, state: order.state };
  }
}
