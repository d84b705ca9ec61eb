import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';
import { isObject } from './params-reader.js';

/** Longest identifier or retry key, in characters (requirement W7). */
export const MAX_ID_LENGTH = 128;

/** What an identifier that breaks the rule is told. */
export const IDENTIFIER_RULE = `must be a non-blank text of at most ${MAX_ID_LENGTH} characters`;

/** A non-blank text of at most 128 characters (code points). */
export function IsIdentifier(options?: ValidationOptions): PropertyDecorator {
  return ParamRule({ name: 'isIdentifier', validate: isIdentifier, message: IDENTIFIER_RULE }, options);
}

/** A JSON object with any content (requirement W8). */
export function IsStruct(): PropertyDecorator {
  return ParamRule({ name: 'isStruct', validate: isObject, message: 'must be an object' });
}

export function isIdentifier(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && [...value].length <= MAX_ID_LENGTH;
}

/** A rule of one value, for class-validator. */
export function ParamRule(
  rule: { name: string; validate: (value: unknown) => boolean; message: string },
  options?: ValidationOptions,
): PropertyDecorator {
  const { name, validate, message } = rule;
  return ValidateBy(
    { name, validator: { validate, defaultMessage: buildMessage(() => message, options) } },
    options,
  );
}
