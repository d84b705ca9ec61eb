import { isObject, ownMember, ParamField, readParams } from '../rpc/index.js';

/*
 * Reading the plain JSON of A2A 0.3 into parameter classes: names as they are, `null` as absent. Only an object that is `null` is
 * passed on, to be refused: it is half a request, and not an absent one (B118).
 */

/** A field that is taken as it is. */
export function JsonValue(): PropertyDecorator {
  return ParamField((value) => value ?? undefined);
}

/** A text for which the empty text means "not set", as many clients send it. */
export function JsonOptionalText(): PropertyDecorator {
  return ParamField((value) => (value === '' ? undefined : (value ?? undefined)));
}

/** A nested object. */
export function JsonObject<T extends object>(type: () => new () => T): PropertyDecorator {
  return ParamField((value) => read(type(), value));
}

/** A list of nested objects. */
export function JsonObjects<T extends object>(type: () => new () => T): PropertyDecorator {
  return ParamField((value) => (Array.isArray(value) ? value.map((item) => read(type(), item)) : value));
}

function read<T extends object>(type: new () => T, value: unknown): unknown {
  return isObject(value) ? readParams(type, value, ownMember) : value;
}
