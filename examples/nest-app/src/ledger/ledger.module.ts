import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LedgerEntry } from './ledger-entry.entity.js';
import { Ledger } from './ledger.js';

@Module({ imports: [TypeOrmModule.forFeature([LedgerEntry])], providers: [Ledger] })
export class LedgerModule {}
