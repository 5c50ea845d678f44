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

type Rows = Readonly<Record<string, { readonly shape: () => Readonly<Record<string, z.ZodType>> }>>

/** The schemas of a table of rows. */
export const schemasOf = <R extends Rows>(rows: R) =>
  Object.fromEntries(
    Object.entries(rows).map(([kind, { shape }]) => [
      kind,
      z.strictObject({ kind: z.literal(kind), ...shape() }),
    ]),
  ) as {
    [Kind in keyof R]: z.ZodObject<
      ReturnType<R[Kind]['shape']> & { kind: z.ZodLiteral<Kind & string> }
    >
  }
