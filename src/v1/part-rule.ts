import { ValidateBy, type ValidationArguments } from 'class-validator';

interface Contents {
  text?: unknown;
  raw?: unknown;
  url?: unknown;
  data?: unknown;
}

/**
 * A part has exactly one content member (specification §4.1.6). Clients that always serialise texts send empty ones
 * beside the real member: those do not count. A lone text must not be empty (requirement S4).
 */
export function HasOneContent(): PropertyDecorator {
  return ValidateBy({
    name: 'hasOneContent',
    validator: {
      validate: (_: unknown, args?: ValidationArguments) =>
        contentProblem(args?.object as Contents) === undefined,
      defaultMessage: (args?: ValidationArguments) => contentProblem(args?.object as Contents) ?? '',
    },
  });
}

function contentProblem({ text, raw, url, data }: Contents): string | undefined {
  if ([text, raw, url].some((value) => value !== undefined && typeof value !== 'string'))
    return 'must be a text';
  const filled = [text, raw, url, data].filter((value) => value !== undefined && value !== '');
  if (filled.length > 1) return 'exactly one of text, raw, url and data may be set';
  if (filled.length === 1) return undefined;
  return text === '' ? 'must not be empty' : 'one of text, raw, url and data must be set';
}
