import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CustomersOnly } from './customers-only.guard.js';
import { OrderEntity } from './order.entity.js';
import { OrderHandler } from './order.handler.js';
import { OrderService } from './order.service.js';
import { OrdersAssistant } from './orders.assistant.js';
import { OrdersController } from './orders.controller.js';

@Module({
  imports: [TypeOrmModule.forFeature([OrderEntity])],
  controllers: [OrdersController],
  providers: [OrderService, OrdersAssistant, OrderHandler, CustomersOnly],
})
export class OrdersModule {}
