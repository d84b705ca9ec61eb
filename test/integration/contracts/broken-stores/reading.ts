import type { ListQuery, Message, Task, TaskStore, TaskWithHistory } from '../../../../src/index.js';
import { type BrokenStore, remembering } from './broken-store.js';

/** Reads once for all that ask for the same in one turn, and gives them one object. */
function shared<Question extends unknown[], Answer>(
  read: (...question: Question) => Promise<Answer>,
  keyOf: (...question: Question) => string,
): (...question: Question) => Promise<Answer> {
  const underWay = new Map<string, Promise<Answer>>();
  return (...question) => {
    const key = keyOf(...question);
    const answer = underWay.get(key) ?? read(...question).finally(() => underWay.delete(key));
    underWay.set(key, answer);
    return answer;
  };
}

const byAll = (...question: unknown[]) => JSON.stringify(question);

/** Orders a list in another way. */
function ordering(compare: (a: Task, b: Task) => number) {
  return (real: TaskStore): Partial<TaskStore> => ({
    list: async ({ limit, ...query }) =>
      (await real.list({ ...query, limit: 1000 })).sort(compare).slice(0, limit),
  });
}

/** Asks for another list than the one that was asked for. */
function asking(change: (query: ListQuery) => Partial<ListQuery>) {
  return (real: TaskStore): Partial<TaskStore> => ({
    list: (query) => real.list({ ...query, ...change(query) }),
  });
}

/** Changes the open tasks of a computer. */
function opening(change: (tasks: Task[]) => Task[]) {
  return (real: TaskStore): Partial<TaskStore> => ({
    openTasks: async (...question) => change(await real.openTasks(...question)),
  });
}

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? 1 : -1);

export const BROKEN_READS: BrokenStore[] = [
  [
    'a task comes with all of its messages',
    'gives the first messages',
    (real) => ({
      findWithHistory: async (scope, id, length, nowMs) => {
        const task = await real.findWithHistory(scope, id, undefined, nowMs);
        return task && { ...task, history: task.history.slice(0, length) };
      },
    }),
  ],
  [
    'a task comes with all of its messages',
    'takes 0 for all',
    (real) => ({
      findWithHistory: (scope, id, length, nowMs) =>
        real.findWithHistory(scope, id, length || undefined, nowMs),
    }),
  ],
  [
    'a task comes with all of its messages',
    'reads the whole history',
    (real) => ({ history: (id) => real.history(id) }),
  ],
  [
    'tasks that are asked for together come each',
    'reads a task once, whoever asks',
    (real) => ({ findWithHistory: shared(real.findWithHistory.bind(real), (_, id) => id) }),
  ],
  [
    'tasks that are asked for together come each',
    'reads messages once, however many are asked for',
    (real) => ({ history: shared(real.history.bind(real), (id) => id) }),
  ],
  [
    'callers who read at once have objects of their own',
    'gives one task to all',
    (real) => ({ find: shared(real.find.bind(real), byAll) }),
  ],
  [
    'callers who read at once have objects of their own',
    'gives one history to all',
    (real) => ({ findWithHistory: shared(real.findWithHistory.bind(real), byAll) }),
  ],
  [
    'callers who read at once have objects of their own',
    'gives one list to all',
    (real) => ({ list: shared(real.list.bind(real), byAll) }),
  ],
  [
    'callers who read at once have objects of their own',
    'gives one use of a key to all',
    (real) => ({ findByRetryKey: shared(real.findByRetryKey.bind(real), byAll) }),
  ],
  [
    'nobody changes what is kept',
    'keeps the object that it gives',
    (real) => {
      const kept = new Map<string, Task>();
      return {
        accept: async (...message) => {
          const outcome = await real.accept(...message);
          if (outcome.kind === 'accepted') kept.set(outcome.task.id, outcome.task);
          return outcome;
        },
        find: async (scope, id, nowMs) => kept.get(id) ?? real.find(scope, id, nowMs),
      };
    },
  ],
  [
    'nobody changes what is kept',
    'keeps the object that it gets',
    (real) => {
      const kept = new Map<string, Message>();
      return {
        accept: (draft, ...more) => {
          kept.set(draft.id, draft.message);
          return real.accept(draft, ...more);
        },
        history: async (id, length) => {
          const message = kept.get(id);
          return message ? [message] : real.history(id, length);
        },
      };
    },
  ],
  [
    'a task and its messages are those of one moment',
    'reads the messages first, and the task then',
    (real) => {
      const reports = new Set<Promise<unknown>>();
      return {
        applyReport: (...report) => {
          const outcome = real.applyReport(...report);
          reports.add(outcome);
          return outcome.finally(() => reports.delete(outcome));
        },
        findWithHistory: async (scope, id, length, nowMs) => {
          const history = await real.history(id, length);
          await Promise.all(reports);
          const task = await real.find(scope, id, nowMs);
          return task && { ...task, history };
        },
      };
    },
  ],
  ['open tasks of a computer come least recently', 'has the newest first', opening((all) => all.reverse())],
  [
    'open tasks of a computer come least recently',
    'leaves out those that ask',
    opening((all) => all.filter(({ state }) => state !== 'input_required')),
  ],
  [
    'open tasks of a computer come least recently',
    'gives all of them',
    (real) => ({ openTasks: (computerId, _, nowMs) => real.openTasks(computerId, 1000, nowMs) }),
  ],
  [
    'open tasks of a computer come least recently',
    'gives those of other computers as well',
    (real) => ({
      openTasks: async (computerId, limit, nowMs) =>
        [
          ...(await real.openTasks(computerId, limit, nowMs)),
          ...(await real.openTasks('computer-2', limit, nowMs)),
        ].slice(0, limit),
    }),
  ],
];

/** The places at which pages begin are counted, and not looked for. */
const numbering = (real: TaskStore): Partial<TaskStore> => {
  let shown = 0;
  return {
    list: async ({ after, limit, ...query }) => {
      if (!after) shown = 0;
      const page = (await real.list({ ...query, limit: 1000 })).slice(shown, shown + limit);
      shown += page.length;
      return page;
    },
  };
};

export const BROKEN_LISTS: BrokenStore[] = [
  ['lists go from the newest status', 'goes by the age of the task', ordering(byId)],
  [
    'lists go from the newest status',
    'has the oldest of one time first',
    ordering((a, b) => b.statusAtMs - a.statusAtMs || -byId(a, b)),
  ],
  ['lists go from the newest status', 'gives one too many', asking(({ limit }) => ({ limit: limit + 1 }))],
  [
    '[B99] pages neither repeat nor miss a task',
    'misses those of the same time',
    asking(({ after }) => (after ? { after: { ...after, id: '' } } : {})),
  ],
  [
    '[B99] pages neither repeat nor miss a task',
    'begins with the last one of the page before',
    (real) => {
      let last: TaskWithHistory | undefined;
      return {
        list: async (query) => {
          const page = await real.list(query);
          if (query.after && last) page.unshift(last);
          last = page.at(-1);
          return page.slice(0, query.limit);
        },
      };
    },
  ],
  ['while others are added and go', 'counts to the page', numbering],
  [
    'a list goes on behind a place',
    'looks for the task of the place',
    (real) => ({
      list: async (query) => {
        const { after, scope, nowMs } = query;
        return after && !(await real.find(scope, after.id, nowMs)) ? [] : real.list(query);
      },
    }),
  ],
  [
    'filters select by context, state and status time',
    'leaves out the first moment',
    asking(({ filter: { statusSinceMs, ...filter } }) => ({
      filter: { ...filter, ...(statusSinceMs !== undefined && { statusSinceMs: statusSinceMs + 1 }) },
    })),
  ],
  [
    'filters select by context, state and status time',
    'does not look at the context',
    asking(({ filter: { contextId: _, ...filter } }) => ({ filter })),
  ],
  [
    'filters select by context, state and status time',
    'counts without the filter',
    (real) => ({ count: (scope, _, nowMs) => real.count(scope, {}, nowMs) }),
  ],
  [
    'pages of a filtered list keep to the filter',
    'forgets it on the second page',
    asking(({ after }) => (after ? { filter: {} } : {})),
  ],
  [
    'counts follow every change of a task',
    'counts what was accepted',
    (real) => {
      const { tasks, accept } = remembering(real);
      return {
        accept,
        count: async (_, { state }) =>
          [...tasks.values()].filter((task) => !state || task.state === state).length,
      };
    },
  ],
  [
    'counts follow every change of a task',
    'goes on to count what was withdrawn',
    (real) => {
      let withdrawn = 0;
      return {
        withdraw: async (id) => {
          const done = await real.withdraw(id);
          if (done) withdrawn += 1;
          return done;
        },
        count: async (...question) => (await real.count(...question)) + withdrawn,
      };
    },
  ],
  ['lists carry the messages and replies', 'always has the reply', asking(() => ({ includeReply: true }))],
  ['lists carry the messages and replies', 'never has the reply', asking(() => ({ includeReply: false }))],
  [
    'lists carry the messages and replies',
    'has a message by default',
    asking(({ historyLength = 1 }) => ({ historyLength })),
  ],
  [
    'lists carry the messages and replies',
    'has the first messages',
    (real) => ({
      list: async (query) => {
        const tasks = await real.list({ ...query, historyLength: 1000 });
        return tasks.map((task): TaskWithHistory => ({
          ...task,
          history: task.history.slice(0, query.historyLength ?? 0),
        }));
      },
    }),
  ],
];
