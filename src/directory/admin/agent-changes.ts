import type { EntityManager } from 'typeorm';
import { AgentEntity } from '../store/agent.entity.js';

export type AgentChange = Partial<
  Pick<
    AgentEntity,
    'computerId' | 'visibility' | 'linkKeyHash' | 'published' | 'name' | 'description' | 'version' | 'skills'
  >
>;

/** Writes what differs. Cards are made anew for every revision, so it rises with each change and with nothing else. */
export async function changeAgent(
  manager: EntityManager,
  row: AgentEntity,
  { change, nowMs }: { change: AgentChange; nowMs: number },
): Promise<void> {
  const stored = row as unknown as Record<string, unknown>;
  const differs = Object.entries(change).some(
    ([member, value]) => JSON.stringify(stored[member]) !== JSON.stringify(value),
  );
  if (!differs) return;
  await manager.update(
    AgentEntity,
    { id: row.id },
    { ...change, updatedAtMs: nowMs, revision: row.revision + 1 },
  );
}

/** For what all assistants of an account say: its username is part of their addresses. */
export async function touchAgentsOf(manager: EntityManager, accountId: string, nowMs: number): Promise<void> {
  await manager.update(AgentEntity, { accountId }, { updatedAtMs: nowMs, revision: () => 'revision + 1' });
}
