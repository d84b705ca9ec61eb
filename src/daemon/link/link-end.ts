import { CloseCode } from '../../relay-protocol/index.js';

/** How one connection ended. */
export type LinkEnd =
  | { kind: 'refused'; status: number }
  | { kind: 'closed'; code: number; reason: string }
  | { kind: 'incompatible'; missing: string }
  | { kind: 'failed'; error: string };

/** Why the daemon gives up for good. */
export type FatalReason = 'token_bad' | 'token_revoked' | 'incompatible' | 'replaced';

export type Decision =
  { kind: 'stop'; reason: FatalReason; message: string } | { kind: 'at_once' } | { kind: 'back_off' };

/** How the API names the instance that took over, in the reason of 4409. */
const TAKEN_OVER_BY = /^instance (\S+) took over$/;

const BACK_OFF: Decision = { kind: 'back_off' };

/**
 * What to do after a connection has ended (the table of close codes in docs/relay-protocol.md).
 * @param instanceId this daemon's own, to tell its own newer connection from another daemon's
 */
export function decide(end: LinkEnd, instanceId: string): Decision {
  switch (end.kind) {
    case 'refused':
      return end.status === 401
        ? stop('token_bad', 'The API does not accept the relay token (HTTP 401).')
        : BACK_OFF;
    case 'incompatible':
      return stop('incompatible', `The API and this daemon have no common protocol: ${end.missing}.`);
    case 'failed':
      return BACK_OFF;
    case 'closed':
      return decideByCode(end.code, end.reason, instanceId);
  }
}

function decideByCode(code: number, reason: string, instanceId: string): Decision {
  switch (code) {
    case CloseCode.goingAway:
    case CloseCode.restart:
      return { kind: 'at_once' };
    case CloseCode.badToken:
      return stop('token_bad', 'The API does not accept the relay token.');
    case CloseCode.revoked:
      return stop('token_revoked', 'The relay token was revoked.');
    case CloseCode.noCommonProtocol:
      return stop(
        'incompatible',
        `The API and this daemon have no common protocol: ${reason || 'no reason given'}.`,
      );
    case CloseCode.replaced: {
      const other = TAKEN_OVER_BY.exec(reason)?.[1];
      return other === undefined || other === instanceId
        ? BACK_OFF
        : stop('replaced', 'Another daemon connected with the relay token of this computer.');
    }
    default:
      return BACK_OFF;
  }
}

function stop(reason: FatalReason, message: string): Decision {
  return { kind: 'stop', reason, message };
}
