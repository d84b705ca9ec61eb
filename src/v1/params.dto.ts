import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInstance,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { IsIdentifier, IsStruct } from '../rpc/index.js';
import { MessageDto } from './message.dto.js';
import { ProtoEnum, ProtoInt, ProtoMessage, ProtoOptionalText, ProtoValue } from './proto-json.js';
import { IsTimestamp } from './timestamp.js';
import { STATE_NAMES } from './state-names.js';

const MAX_INT32 = 2_147_483_647;
const MAX_PAGE_TOKEN_LENGTH = 2_048;

/** Every request may name a tenant; this product has none and says so (requirement S7). */
export abstract class TenantParams {
  @ProtoOptionalText()
  @IsOptional()
  @IsString({ message: 'must be a text' })
  tenant?: string;
}

/** `SendMessageConfiguration` (specification §3.2.2). */
export class ConfigurationDto {
  @ProtoValue()
  @IsOptional()
  @IsArray({ message: 'must be a list of media types' })
  @IsString({ each: true, message: 'must be a list of media types' })
  acceptedOutputModes?: string[];

  @ProtoValue()
  @IsOptional()
  @IsStruct()
  taskPushNotificationConfig?: Record<string, unknown>;

  @ProtoInt()
  @IsOptional()
  @Max(MAX_INT32, { message: 'must be a 32-bit number' })
  @Min(0, { message: 'must not be negative' })
  @IsInt({ message: 'must be a whole number' })
  historyLength?: number;

  @ProtoValue()
  @IsOptional()
  @IsBoolean({ message: 'must be true or false' })
  returnImmediately?: boolean;
}

/** `SendMessageRequest` (specification §3.2.1). */
export class SendMessageParams extends TenantParams {
  @ProtoMessage(() => MessageDto)
  @ValidateNested()
  @IsInstance(MessageDto, { message: 'must be a message' })
  message!: MessageDto;

  @ProtoMessage(() => ConfigurationDto)
  @IsOptional()
  @ValidateNested()
  @IsInstance(ConfigurationDto, { message: 'must be an object' })
  configuration?: ConfigurationDto;

  @ProtoValue()
  @IsOptional()
  @IsStruct()
  metadata?: Record<string, unknown>;
}

/** `GetTaskRequest` (specification §3.1.3). */
export class GetTaskParams extends TenantParams {
  @ProtoValue()
  @IsIdentifier()
  id!: string;

  @ProtoInt()
  @IsOptional()
  @Max(MAX_INT32, { message: 'must be a 32-bit number' })
  @Min(0, { message: 'must not be negative' })
  @IsInt({ message: 'must be a whole number' })
  historyLength?: number;
}

/** `CancelTaskRequest` (specification §3.1.5). */
export class CancelTaskParams extends TenantParams {
  @ProtoValue()
  @IsIdentifier()
  id!: string;

  @ProtoValue()
  @IsOptional()
  @IsStruct()
  metadata?: Record<string, unknown>;
}

/** `ListTasksRequest` (specification §3.1.4). */
export class ListTasksParams extends TenantParams {
  @ProtoOptionalText()
  @IsOptional()
  @IsIdentifier()
  contextId?: string;

  @ProtoEnum(STATE_NAMES)
  @IsOptional()
  @IsIn(STATE_NAMES, { message: 'must be the name of a task state' })
  status?: (typeof STATE_NAMES)[number];

  @ProtoInt()
  @IsOptional()
  @Max(100, { message: 'must be between 1 and 100' })
  @Min(1, { message: 'must be between 1 and 100' })
  @IsInt({ message: 'must be a whole number' })
  pageSize?: number;

  @ProtoOptionalText()
  @IsOptional()
  @MaxLength(MAX_PAGE_TOKEN_LENGTH, { message: 'must be a token of an earlier page' })
  @IsString({ message: 'must be a token of an earlier page' })
  pageToken?: string;

  @ProtoInt()
  @IsOptional()
  @Max(100, { message: 'must be between 0 and 100' })
  @Min(0, { message: 'must be between 0 and 100' })
  @IsInt({ message: 'must be a whole number' })
  historyLength?: number;

  @ProtoValue()
  @IsOptional()
  @IsTimestamp()
  statusTimestampAfter?: string;

  @ProtoValue()
  @IsOptional()
  @IsBoolean({ message: 'must be true or false' })
  includeArtifacts?: boolean;
}
