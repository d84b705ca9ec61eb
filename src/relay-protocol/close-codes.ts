/** Why a link ends (docs/relay-protocol.md, "Close codes"). */
export const CloseCode = {
  goingAway: 1001,
  frameTooLarge: 1009,
  restart: 1012,
  badFrame: 4400,
  badToken: 4401,
  revoked: 4403,
  noCommonProtocol: 4406,
  noHello: 4408,
  replaced: 4409,
  tooManyFrames: 4429,
} as const;

export type CloseCode = (typeof CloseCode)[keyof typeof CloseCode];
