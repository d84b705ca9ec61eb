import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import { RawParams } from './a2a-call.js';
import { ownMember } from './params-reader.js';
import { validateParams } from './validate-params.js';

/** Makes a class of class-validator's of what was sent: members that have a rule, and no others. */
@Injectable()
export class ParamsPipe implements PipeTransform {
  /** @throws InvalidParamsError naming each field that is wrong */
  async transform(value: Record<string, unknown>, { metatype }: ArgumentMetadata): Promise<object> {
    const type = metatype as new () => object;
    const params = new type() as Record<string, unknown>;
    const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
    for (const { propertyName } of rules) {
      const sent = ownMember(value, propertyName);
      if (sent !== undefined && sent !== null) params[propertyName] = sent;
    }
    await validateParams(params);
    return params;
  }
}

/**
 * Injects the parameters of a method as an instance of the parameter's type, validated by its decorators of class-validator.
 * Members without a rule are ignored, `null` is an absent member.
 */
export const Params = (): ParameterDecorator => RawParams(ParamsPipe);
