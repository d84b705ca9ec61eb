import {
  IsArray,
  IsBoolean,
  IsInstance,
  IsInt,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { IsIdentifier, IsStruct } from '../rpc/index.js';
import { JsonObject, JsonValue } from './json-params.js';
import { MessageDto } from './message.dto.js';

const MAX_INT32 = 2_147_483_647;

/** `MessageSendConfiguration` (A2A 0.3 §7.1.1). */
export class ConfigurationDto {
  @JsonValue()
  @IsOptional()
  @IsString({ each: true, message: 'must be a list of media types' })
  @IsArray({ message: 'must be a list of media types' })
  acceptedOutputModes?: string[];

  @JsonValue()
  @IsOptional()
  @IsStruct()
  pushNotificationConfig?: Record<string, unknown>;

  @JsonValue()
  @IsOptional()
  @Max(MAX_INT32, { message: 'must be a 32-bit number' })
  @Min(0, { message: 'must not be negative' })
  @IsInt({ message: 'must be a whole number' })
  historyLength?: number;

  @JsonValue()
  @IsOptional()
  @IsBoolean({ message: 'must be true or false' })
  blocking?: boolean;
}

/** `MessageSendParams`, of both ways to send (A2A 0.3 §7.1.1). */
export class SendParams {
  @JsonObject(() => MessageDto)
  @ValidateNested()
  @IsInstance(MessageDto, { message: 'must be a message' })
  message!: MessageDto;

  @JsonObject(() => ConfigurationDto)
  @ValidateIf((_, value) => value !== undefined)
  @ValidateNested()
  @IsInstance(ConfigurationDto, { message: 'must be an object' })
  configuration?: ConfigurationDto;

  @JsonValue()
  @IsOptional()
  @IsStruct()
  metadata?: Record<string, unknown>;
}

/** `TaskIdParams` (A2A 0.3 §7.4.1). */
export class TaskIdParams {
  @JsonValue()
  @IsIdentifier()
  id!: string;

  @JsonValue()
  @IsOptional()
  @IsStruct()
  metadata?: Record<string, unknown>;
}

/** `TaskQueryParams` (A2A 0.3 §7.3.1). */
export class TaskQueryParams extends TaskIdParams {
  @JsonValue()
  @IsOptional()
  @Max(MAX_INT32, { message: 'must be a 32-bit number' })
  @Min(0, { message: 'must not be negative' })
  @IsInt({ message: 'must be a whole number' })
  historyLength?: number;
}
