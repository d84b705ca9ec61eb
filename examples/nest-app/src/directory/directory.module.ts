import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ComputerEntity, HelperEntity } from './directory.entities.js';

/** What `TeamDirectory` injects. */
@Module({
  imports: [TypeOrmModule.forFeature([HelperEntity, ComputerEntity])],
  exports: [TypeOrmModule],
})
export class DirectoryModule {}
