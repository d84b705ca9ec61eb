/** Shorter texts stand in logs by chance: a word of a message is also one of the program's. */
const SHORTEST = 12;
/** Scanning takes time for each; a test that sends more says the same a thousand times. */
const MOST_KEPT = 500;

/**
 * Takes a service's log lines and knows what must not be in them: credentials and the texts of messages (requirements
 * H2, O2). Every service that tests start is watched, so that the whole run is one scan.
 */
export class LogWatch {
  readonly lines: string[] = [];
  private readonly forbidden: Set<string>;

  constructor(secrets: readonly string[]) {
    this.forbidden = new Set(secrets);
  }

  /** Where pino writes. */
  write(line: string): void {
    this.lines.push(line);
  }

  forbid(secret: string): void {
    if (this.forbidden.size < MOST_KEPT) this.forbidden.add(secret);
  }

  /** Notes the texts of the message parts in a request, whatever its form. */
  forbidTextsOf(body: string | Buffer | undefined): void {
    if (body === undefined) return;
    for (const [, text = ''] of body.toString('utf8').matchAll(/"text"\s*:\s*"((?:[^"\\]|\\.){12,200})"/g)) {
      if (text.length >= SHORTEST) this.forbid(text);
    }
  }

  /** @throws Error naming the line, but not the secret, when a forbidden text was logged */
  check(): void {
    const all = this.lines.join('');
    for (const secret of this.forbidden) {
      if (!this.forms(secret).some((form) => all.includes(form))) continue;
      const line = this.lines.find((candidate) =>
        this.forms(secret).some((form) => candidate.includes(form)),
      );
      throw new Error(`a log line holds a credential or the text of a message:\n${line ?? ''}`);
    }
  }

  /** As it is, in JSON and in an address. */
  private forms(secret: string): string[] {
    return [secret, JSON.stringify(secret).slice(1, -1), encodeForm(secret)];
  }
}

function encodeForm(secret: string): string {
  return secret.isWellFormed() ? encodeURIComponent(secret) : secret;
}
