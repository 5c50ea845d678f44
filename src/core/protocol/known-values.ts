/**
 * Values that are known of an open text: what the protocol names, where a partner may send others. They are listed in API
 * documents only.
 */
import type { z } from 'zod'

/** The schema with its known values for documents; it accepts what it accepted. */
export const withKnownValues = <Schema extends z.ZodType>(
  schema: Schema,
  values: readonly string[],
): Schema => schema.meta({ 'x-extensible-enum': [...values] })
