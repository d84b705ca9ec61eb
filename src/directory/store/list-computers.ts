import type { DataSource } from 'typeorm';
import type { Computer } from '../agent-directory.js';
import { ComputerEntity } from './computer.entity.js';

/** The computers that may connect, by id, with when their daemon was last heard of (R5: presence is kept and shown). */
export async function listComputers(reader: DataSource): Promise<Computer[]> {
  const rows = await reader
    .getRepository(ComputerEntity)
    .find({ where: { active: true }, order: { id: 'ASC' } });
  return rows.map(({ id, accountId, lastSeenAtMs }) => ({
    id,
    accountId,
    ...(lastSeenAtMs === null ? {} : { lastSeenAtMs }),
  }));
}
