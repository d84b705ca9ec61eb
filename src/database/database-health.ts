import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { READER } from '../common/index.js';
import { isCurrent } from './data-sources.js';

/** Tells whether the database is usable at the moment (requirement O2). */
@Injectable()
export class DatabaseHealth {
  constructor(@InjectDataSource(READER) private readonly reader: DataSource) {}

  /** @returns true when the database can be read and every migration was applied; never throws */
  async isReady(): Promise<boolean> {
    try {
      return await isCurrent(this.reader);
    } catch {
      return false;
    }
  }
}
