import type { EntityManager } from 'typeorm';

/** A computer that is active, as its account is. */
export interface ComputerRow {
  id: string;
  accountId: string;
  relayTokenHash: string;
  lastSeenAtMs: number | null;
}

/** By what a computer is looked for. */
type Key = 'id' | 'relay_token_hash';

/** @internal for its test. `active` is spelled as in the partial index of the tokens, which serves only queries that say the same. */
export function findStatement(key: Key): string {
  return `WITH wanted AS (SELECT key AS place, value AS sought FROM json_each(?))
    SELECT place, computers.id, computers.account_id AS "accountId", relay_token_hash AS "relayTokenHash",
      last_seen_at AS "lastSeenAtMs"
    FROM wanted CROSS JOIN computers JOIN accounts ON accounts.id = computers.account_id
    WHERE computers.${key} = sought AND computers.active AND accounts.active`;
}

/**
 * Thousands of computers may come at the same time, after a restart of the service for example; one statement finds many.
 * @returns for each value the computer that has it
 */
export async function findComputers(
  source: Pick<EntityManager, 'query'>,
  key: Key,
  values: string[],
): Promise<(ComputerRow | undefined)[]> {
  const rows = await source.query<(ComputerRow & { place: number })[]>(findStatement(key), [
    JSON.stringify(values),
  ]);
  const computers = new Map(rows.map((row) => [row.place, row]));
  return values.map((_, place) => computers.get(place));
}

/** The later time stands, whatever order the writes come in. */
const RECORD_SEEN = `UPDATE computers SET last_seen_at = seen.at
  FROM (SELECT value ->> 0 AS id, MAX(value ->> 1) AS at FROM json_each(?) GROUP BY 1) AS seen
  WHERE computers.id = seen.id AND (last_seen_at IS NULL OR last_seen_at < seen.at)`;

/** For the write queue: notes when computers were heard of. */
export async function recordSeen(
  manager: EntityManager,
  seen: { computerId: string; atMs: number }[],
): Promise<void[]> {
  const entries = seen.map(({ computerId, atMs }) => [computerId, atMs]);
  await manager.query(RECORD_SEEN, [JSON.stringify(entries)]);
  return seen.map(() => undefined);
}
