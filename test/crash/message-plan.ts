import type { Random } from './random.js';

export const ACCOUNTS = ['account-owner', 'account-b', 'account-c', 'account-d', 'account-e'] as const;
export const HANDLES = ['work', 'other'] as const;

/** What one message is and what its sender does with it; decided before the run begins. */
export interface MessagePlan {
  index: number;
  account: string;
  handle: string;
  text: string;
  /** Copies that are sent at the same time. */
  copies: number;
  returnImmediately: boolean;
  /** With a key, every attempt has a message id of its own; without, the message id is the key (requirement S5). */
  hasKey: boolean;
  /** Sent once more so long after the answer. */
  repeatAfterMs?: number;
  cancelAfterMs?: number;
}

export function planMessages(jobs: number, random: Random): MessagePlan[] {
  return Array.from({ length: jobs }, (_, index) => planMessage(index, random));
}

function planMessage(index: number, random: Random): MessagePlan {
  const plan: MessagePlan = {
    index,
    account: random.pick(ACCOUNTS),
    handle: random.pick(HANDLES),
    text: planText(index, random),
    copies: random.chance(0.1) ? random.whole(2, 4) : 1,
    returnImmediately: random.chance(0.6),
    hasKey: random.chance(0.15),
  };
  if (random.chance(0.12)) plan.repeatAfterMs = random.whole(0, 4000);
  if (random.chance(0.08)) plan.cancelAfterMs = random.whole(0, 400);
  return plan;
}

/** The first word tells the program of the job what to do. */
function planText(index: number, random: Random): string {
  const kind = random.next();
  if (kind < 0.06) return `slow ${(random.whole(2, 15) / 10).toFixed(1)} message ${index}`;
  if (kind < 0.1) return `failing message ${index}`;
  return `quick message ${index}`;
}

/** What the program answers to a text that it does not fail on. */
export function replyTo(text: string): string {
  return `Done: ${text}`;
}

/** The program of every job: leaves its id in the file of what ran, by one append, before it does anything else. */
export const JOB_PROGRAM = `printf '%s\\n' "$HELLO_JOB_ID" >> "$RAN_FILE"
read -r kind rest
case "$kind" in
  slow) sleep "\${rest%% *}" ;;
  failing) echo 'This job was told to fail.' >&2; exit 3 ;;
esac
printf 'Done: %s %s\\n' "$kind" "$rest"
`;
