import {
  ArrayNotEmpty,
  Equals,
  IsArray,
  IsInstance,
  IsOptional,
  IsString,
  ValidateNested,
} from 'class-validator';
import { IsIdentifier, IsStruct } from '../rpc/index.js';
import { HasOneContent } from './part-rule.js';
import { ProtoEnum, ProtoMessages, ProtoOptionalText, ProtoValue } from './proto-json.js';

export const ROLES = ['ROLE_UNSPECIFIED', 'ROLE_USER', 'ROLE_AGENT'] as const;

/** `Part` (specification §4.1.6). Kinds other than text are read so that they can be refused by name. */
export class PartDto {
  @ProtoValue()
  @HasOneContent()
  text?: string;

  @ProtoValue()
  raw?: string;

  @ProtoValue()
  url?: string;

  @ProtoValue()
  data?: unknown;

  @ProtoValue()
  @IsOptional()
  @IsStruct()
  metadata?: Record<string, unknown>;

  @ProtoOptionalText()
  @IsOptional()
  @IsString({ message: 'must be a text' })
  filename?: string;

  @ProtoOptionalText()
  @IsOptional()
  @IsString({ message: 'must be a text' })
  mediaType?: string;
}

/** `Message` as a caller sends it (specification §4.1.4). */
export class MessageDto {
  @ProtoValue()
  @IsIdentifier()
  messageId!: string;

  @ProtoOptionalText()
  @IsOptional()
  @IsIdentifier()
  contextId?: string;

  @ProtoOptionalText()
  @IsOptional()
  @IsIdentifier()
  taskId?: string;

  @ProtoEnum(ROLES)
  @Equals('ROLE_USER', { message: 'must be ROLE_USER' })
  role!: string;

  @ProtoMessages(() => PartDto)
  // Rules are tried from the property upwards, and the first that fails is named.
  @ValidateNested({ each: true })
  @IsInstance(PartDto, { each: true, message: 'each part must be an object' })
  @ArrayNotEmpty({ message: 'must have at least one part' })
  @IsArray({ message: 'must be a list of parts' })
  parts!: PartDto[];

  @ProtoValue()
  @IsOptional()
  @IsStruct()
  metadata?: Record<string, unknown>;

  @ProtoValue()
  @IsOptional()
  @IsArray({ message: 'must be a list of texts' })
  @IsString({ each: true, message: 'must be a list of texts' })
  extensions?: string[];

  @ProtoValue()
  @IsOptional()
  @IsArray({ message: 'must be a list of texts' })
  @IsString({ each: true, message: 'must be a list of texts' })
  referenceTaskIds?: string[];
}
