import { validate, type ValidationError } from 'class-validator';
import { InvalidParamsError, type FieldViolation } from '../a2a/index.js';
import { surelyValid } from './quick-check.js';

const MAX_VIOLATIONS = 20;

/**
 * Checks a parameter object by the rules of its class.
 * @throws InvalidParamsError naming each field that is wrong, at most 20 of them
 */
export async function validateParams(params: object): Promise<void> {
  if (surelyValid(params)) return;
  const errors = await validate(params, {
    forbidUnknownValues: true,
    stopAtFirstError: true,
    validationError: { target: false, value: false },
  });
  if (errors.length > 0) throw new InvalidParamsError(flatten(errors, '').slice(0, MAX_VIOLATIONS));
}

function flatten(errors: ValidationError[], parent: string): FieldViolation[] {
  return errors.flatMap((error) => {
    const field = join(parent, error.property);
    const own = Object.values(error.constraints ?? {}).map((description) => ({ field, description }));
    return [...own, ...flatten(error.children ?? [], field)];
  });
}

function join(parent: string, property: string): string {
  if (/^\d+$/.test(property)) return `${parent}[${property}]`;
  return parent === '' ? property : `${parent}.${property}`;
}
