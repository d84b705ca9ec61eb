import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { OnTaskEvent, type TaskChange } from 'hello-api';
import { Repository } from 'typeorm';
import { LedgerEntry } from './ledger-entry.entity.js';

/**
 * Writes down what happens to tasks, in the shop's own database. Events come at most once, and `working` and `input_required`
 * may come for one task several times: the last time stands. Those on their way when the process ends are missing here.
 */
@Injectable()
export class Ledger {
  constructor(@InjectRepository(LedgerEntry) private readonly entries: Repository<LedgerEntry>) {}

  @OnTaskEvent(['submitted', 'working', 'input_required', 'finished'])
  async record({ taskId, kind, accountId, state, statusAtMs }: TaskChange): Promise<void> {
    await this.entries.upsert({ taskId, kind, accountId, state, statusAtMs }, ['taskId', 'kind']);
  }
}
