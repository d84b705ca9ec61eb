import type { DataSource } from 'typeorm';

/** How often the directory has changed, by whatever process; triggers count it (ADR 0011). One row is read. */
export async function directoryVersion(reader: DataSource): Promise<number> {
  const [row] = await reader.query<{ total: number }[]>('SELECT total FROM directory_changes');
  return row?.total ?? 0;
}
