/** Defines the schema of one command kind; the type requires a schema for every field, optional ones too. */
import { z } from 'zod'
import type { Command, CommandKind } from '../../../engine/command.ts'

type FieldsOf<Kind extends CommandKind> = {
  readonly [Field in Exclude<keyof Extract<Command, { kind: Kind }>, 'kind'>]-?: z.ZodType
}

export const commandSchema = <const Kind extends CommandKind, Shape extends FieldsOf<Kind>>(
  kind: Kind,
  shape: Shape,
) => z.strictObject({ kind: z.literal(kind), ...shape })

/** Fields that many commands share. */
export const idField = z.string().min(1).max(200)
export const trueField = z.exactOptional(z.literal(true))
