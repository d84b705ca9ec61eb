import { Injectable } from '@nestjs/common';
import { AppConfig } from '../config/index.js';

const HOUR_MS = 3_600_000;

/** How many new messages an account may send, over all destinations (requirement S9). The task store does the counting. */
@Injectable()
export class MessageAllowance {
  readonly limit: number;
  readonly windowMs = HOUR_MS;

  constructor(config: AppConfig) {
    this.limit = config.tasks.messagesPerHour;
  }
}
