/**
 * Object schemas whose fields are created at the first use: a start needs few of all schemas, and creating the fields of
 * all of them takes longer than everything else. Otherwise they are those of `z.object` and its siblings.
 */
import { z } from 'zod'

type Fields = z.core.$ZodLooseShape
type ObjectOf<Shape extends Fields, Config extends z.core.$ZodObjectConfig> = z.ZodObject<
  z.core.util.Writeable<Shape>,
  Config
>

function objectOf(fields: () => Fields, catchall: { catchall?: z.ZodType }): z.ZodObject {
  let shape: Fields | undefined
  return new z.ZodObject({
    type: 'object',
    get shape() {
      // Copied: a field that refers to its own schema is a getter, which would create a schema at each use.
      return (shape ??= { ...fields() })
    },
    ...catchall,
  })
}

const keepsOthers = { catchall: z.unknown() }
const refusesOthers = { catchall: z.never() }

/** An object that drops the fields that it does not name. */
export function plainObject<Shape extends Fields>(
  fields: () => Shape,
): ObjectOf<Shape, z.core.$strip>
export function plainObject(fields: () => Fields): z.ZodObject {
  return objectOf(fields, {})
}

/** An object that keeps the fields that it does not name. */
export function looseObject<Shape extends Fields>(
  fields: () => Shape,
): ObjectOf<Shape, z.core.$loose>
export function looseObject(fields: () => Fields): z.ZodObject {
  return objectOf(fields, keepsOthers)
}

/** An object that refuses the fields that it does not name. */
export function strictObject<Shape extends Fields>(
  fields: () => Shape,
): ObjectOf<Shape, z.core.$strict>
export function strictObject(fields: () => Fields): z.ZodObject {
  return objectOf(fields, refusesOthers)
}
