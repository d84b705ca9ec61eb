import { SetMetadata } from '@nestjs/common';
import type { TaskEventKind, TaskEventOf } from './task-hook-events.js';

export const TASK_LISTENER = Symbol('hello:task-listener');

/** What `@OnTaskEvent` records for the explorer. */
export interface TaskListenerRecord {
  kinds: readonly TaskEventKind[];
  texts: boolean;
}

/**
 * Marks the method of a provider that listens to tasks. It is called after the commit, at most once for each event, and for
 * one task in the order of the commits, the next time when the promise of the time before has settled. An error is logged and
 * disturbs nobody. Events are not kept: a process that ends loses those on their way, and another process has its own. Who
 * needs more reads the store.
 * @param kinds one or several
 * @param options.texts adds the reply and the text of the status, which are the caller's; absent by default
 */
export function OnTaskEvent<K extends TaskEventKind>(
  kinds: K | readonly K[],
  { texts = false }: { texts?: boolean } = {},
) {
  const record: TaskListenerRecord = { kinds: [kinds].flat(), texts };
  return <T extends (event: TaskEventOf<K>) => unknown>(
    target: object,
    name: string | symbol,
    descriptor: TypedPropertyDescriptor<T>,
  ): void => {
    SetMetadata(TASK_LISTENER, record)(target, name, descriptor);
  };
}
