import { Injectable, type ArgumentMetadata, type PipeTransform, type Type } from '@nestjs/common';
import { RawParams } from './a2a-call.js';
import { paramsOf } from './nested-params.js';
import { validateParams } from './validate-params.js';

/** Reads what was sent by the rules of the parameter's class. */
@Injectable()
export class ParamsPipe implements PipeTransform {
  /** @throws InvalidParamsError naming each field that is wrong */
  async transform(value: Record<string, unknown>, { metatype }: ArgumentMetadata): Promise<object> {
    const params = paramsOf(metatype as Type<object>, value);
    await validateParams(params);
    return params;
  }
}

/**
 * Injects the parameters of a method as an instance of the parameter's type, validated by its decorators of class-validator.
 * Members without a rule are ignored, `null` is an absent member; objects within it are declared by `@NestedParams`.
 */
export const Params = (): ParameterDecorator => RawParams(ParamsPipe);
