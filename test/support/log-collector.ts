import type { LoggerService } from '@nestjs/common';

/** Takes what an application logs, one text a line. */
export class LogCollector implements LoggerService {
  readonly lines: string[] = [];

  log(...line: unknown[]): void {
    this.take(line);
  }
  warn(...line: unknown[]): void {
    this.take(line);
  }
  error(...line: unknown[]): void {
    this.take(line);
  }

  private take(line: unknown[]): void {
    this.lines.push(JSON.stringify(line));
  }
}
