import { randomUUID } from 'node:crypto';
import type { AnswerOutcome, Message, TaskStore } from '../../../../src/index.js';
import { type AcceptAnswer, type BrokenStore, PLENTY, remembering, showing } from './broken-store.js';

/** Hands over another answer than the one that came. */
function answering(change: (draft: AcceptAnswer[0]) => Partial<AcceptAnswer[0]>) {
  return (real: TaskStore): Partial<TaskStore> => ({
    acceptAnswer: (draft, quota, nowMs) => real.acceptAnswer({ ...draft, ...change(draft) }, quota, nowMs),
  });
}

/** Says something else of an answer than what became of it. */
function saying(change: (outcome: AnswerOutcome) => AnswerOutcome) {
  return (real: TaskStore): Partial<TaskStore> => ({
    acceptAnswer: async (...answer) => change(await real.acceptAnswer(...answer)),
  });
}

/** Changes what is read of a history. */
function telling(change: (messages: Message[]) => Message[]) {
  return (real: TaskStore): Partial<TaskStore> => ({
    history: async (...question) => change(await real.history(...question)),
  });
}

/** Adds messages to histories for some of the reports that apply. */
function adding(isAdded: (state: string) => boolean) {
  return (real: TaskStore): Partial<TaskStore> => {
    const added: Message[] = [];
    return {
      applyReport: async (computerId, report, times) => {
        const outcome = await real.applyReport(computerId, report, times);
        const { state, statusText: text } = report;
        const isMessage = text !== undefined && isAdded(state) && outcome.kind === 'applied';
        if (isMessage) added.push({ messageId: randomUUID(), role: 'agent', parts: [{ text }] });
        return outcome;
      },
      history: async (...question) => [...(await real.history(...question)), ...added.slice(0, -1)],
    };
  };
}

/** Goes on to show an answer that was on its way once. */
const neverSettling = (real: TaskStore): Partial<TaskStore> => {
  const places = new Map<string, number>();
  return {
    ...showing(real, (task) => {
      const pendingAnswer = places.get(task.id);
      return pendingAnswer === undefined ? task : { ...task, pendingAnswer };
    }),
    acceptAnswer: async (...answer) => {
      const outcome = await real.acceptAnswer(...answer);
      if (outcome.kind === 'accepted') places.set(outcome.task.id, outcome.task.pendingAnswer ?? 0);
      return outcome;
    },
  };
};

export const BROKEN_ANSWERS: BrokenStore[] = [
  ['questions and answers stand in the history', 'begins with the last one', telling((all) => all.reverse())],
  [
    'questions and answers stand in the history',
    'puts questions behind answers',
    telling((all) => all.sort((a, b) => (a.role < b.role ? 1 : -1))),
  ],
  [
    'a question is a message of the assistant',
    'gives it another id each time',
    telling((all) => all.map((one) => (one.role === 'agent' ? { ...one, messageId: randomUUID() } : one))),
  ],
  [
    'a question is a message of the assistant',
    'says that the caller asked',
    telling((all) => all.map((one) => ({ ...one, role: 'user' }))),
  ],
  [
    'a question that replaces an unanswered one',
    'keeps every question',
    adding((state) => state === 'input_required'),
  ],
  [
    'what is no question is not in the history',
    'keeps every explanation',
    (real) => {
      const added: Message[] = [];
      return {
        applyReport: async (computerId, report, times) => {
          const { state, statusText: text } = report;
          if (text !== undefined && state !== 'input_required') {
            added.push({ messageId: randomUUID(), role: 'agent', parts: [{ text }] });
          }
          return real.applyReport(computerId, report, times);
        },
        history: async (...question) => [...(await real.history(...question)), ...added],
      };
    },
  ],
  [
    'what is no question is not in the history',
    'asks what came too late',
    (real) => {
      const late: Message[] = [];
      return {
        applyReport: async (computerId, report, times) => {
          const outcome = await real.applyReport(computerId, report, times);
          const { state, statusText: text } = report;
          if (text !== undefined && state === 'input_required' && outcome.kind === 'ignored') {
            late.push({ messageId: randomUUID(), role: 'agent', parts: [{ text }] });
          }
          return outcome;
        },
        history: async (...question) => [...(await real.history(...question)), ...late],
      };
    },
  ],
  [
    'an answer that is accepted is on its way',
    'says that the task works again',
    saying((outcome) =>
      outcome.kind === 'accepted' ? { ...outcome, task: { ...outcome.task, state: 'working' } } : outcome,
    ),
  ],
  ['an answer that is accepted is on its way', 'loses it', () => ({ pendingAnswer: async () => undefined })],
  [
    'of concurrent answers one is accepted',
    'takes an answer while another one is on its way',
    saying((outcome) =>
      outcome.kind === 'not_waiting' && outcome.task.state === 'input_required'
        ? { ...outcome, kind: 'accepted' }
        : outcome,
    ),
  ],
  ['a report that applies settles the answer', 'never settles one', neverSettling],
  [
    'a report that applies settles the answer',
    'settles it by any report',
    (real) => {
      const heard = new Set<string>();
      return {
        ...showing(real, ({ pendingAnswer, ...task }) =>
          pendingAnswer === undefined || heard.has(task.id) ? task : { ...task, pendingAnswer },
        ),
        acceptAnswer: (...answer) => {
          heard.delete(answer[0].taskId);
          return real.acceptAnswer(...answer);
        },
        applyReport: (computerId, report, times) => {
          heard.add(report.taskId);
          return real.applyReport(computerId, report, times);
        },
      };
    },
  ],
  [
    'a task that is failed has no answer on its way',
    'forgets it when the job is unknown',
    (real) => ({
      failUnknown: async (...question) => {
        const outcome = await real.failUnknown(...question);
        if (outcome.kind === 'applied') outcome.task.pendingAnswer = 2;
        return outcome;
      },
    }),
  ],
  [
    'a task that is failed has no answer on its way',
    'forgets it when the time is over',
    (real) => ({
      endExpired: async (...end) =>
        (await real.endExpired(...end)).map((task) => ({ ...task, pendingAnswer: 2 })),
    }),
  ],
  [
    'copies of an answer are one answer',
    'says that nobody waits for a copy',
    saying((outcome) => (outcome.kind === 'repeated' ? { ...outcome, kind: 'not_waiting' } : outcome)),
  ],
  [
    'copies of an answer are one answer',
    'takes each copy for an answer',
    answering(() => ({ retryKey: randomUUID() })),
  ],
  [
    'first messages and answers share the keys',
    'has keys of answers apart',
    answering(({ retryKey }) => ({ retryKey: `answer ${retryKey}` })),
  ],
  [
    'first messages and answers share the keys',
    'does not compare contents',
    (real) => ({
      acceptAnswer: (draft, quota, nowMs) =>
        real.acceptAnswer({ ...draft, fingerprint: 'same' }, quota, nowMs),
    }),
  ],
  [
    'a task that does not ask takes no answer',
    'takes it all the same',
    saying((outcome) => (outcome.kind === 'not_waiting' ? { ...outcome, kind: 'accepted' } : outcome)),
  ],
  [
    'nobody else answers',
    'lets anybody answer',
    (real) => {
      const { tasks, accept } = remembering(real);
      return {
        accept,
        acceptAnswer: (draft, ...more) =>
          real.acceptAnswer({ ...draft, scope: tasks.get(draft.taskId) ?? draft.scope }, ...more),
      };
    },
  ],
  [
    'nobody else answers',
    'takes an answer to an expired task',
    (real) => ({ acceptAnswer: (draft, quota, nowMs) => real.acceptAnswer(draft, quota, nowMs - 1) }),
  ],
  [
    'a messageId is used once in a task',
    'does not look at it',
    answering(({ message }) => ({ message: { ...message, messageId: randomUUID() } })),
  ],
  [
    'a messageId is used once in a task',
    'looks at those of all tasks',
    (real) => {
      const used = new Set<string>();
      return {
        acceptAnswer: async (draft, ...more) => {
          if (used.has(draft.message.messageId)) return { kind: 'message_id_used' };
          used.add(draft.message.messageId);
          return real.acceptAnswer(draft, ...more);
        },
      };
    },
  ],
  [
    'the key is checked before the task',
    'counts first',
    (real) => ({
      acceptAnswer: async (draft, quota, nowMs) =>
        quota.limit === 0
          ? { kind: 'quota_exceeded', retryAfterMs: quota.windowMs }
          : real.acceptAnswer(draft, quota, nowMs),
    }),
  ],
  [
    'the key is checked before the task',
    'looks at the messageId first',
    (real) => ({
      acceptAnswer: async (draft, ...more) =>
        draft.message.messageId === 'first' ? { kind: 'message_id_used' } : real.acceptAnswer(draft, ...more),
    }),
  ],
  [
    'an answer that is refused leaves nothing',
    'writes before it counts',
    (real) => ({
      acceptAnswer: async (draft, quota, nowMs) => {
        const outcome = await real.acceptAnswer(draft, quota, nowMs);
        if (outcome.kind === 'quota_exceeded') await real.acceptAnswer(draft, PLENTY, nowMs);
        return outcome;
      },
    }),
  ],
  [
    'an answer that is refused leaves nothing',
    'keeps its key',
    (real) => {
      const refused = new Set<string>();
      return {
        acceptAnswer: async (...answer) => {
          if (refused.has(answer[0].retryKey)) return { kind: 'conflict' };
          const outcome = await real.acceptAnswer(...answer);
          if (outcome.kind !== 'accepted') refused.add(answer[0].retryKey);
          return outcome;
        },
      };
    },
  ],
  ['an answer and the end of its task, at once', 'keeps it on its way', neverSettling],
];
