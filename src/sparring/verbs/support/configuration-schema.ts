/** JSON Schema of the configuration file for editors, with every fault and its options. */
import { z } from 'zod'
import { Configuration } from '../../../core/session-api/configuration/schema.ts'
import { faultSchema } from '../../../core/faults/schema.ts'

/** What editors look a JSON file’s schema up by: allowed, and no setting. */
export const schemaReference = { $schema: { type: 'string' } } as const

const form = { io: 'input', unrepresentable: 'any' } as const

/**
 * The zod schema of the configuration accepts any JSON as a fault, because the fault schemas are slow to load and rarely
 * needed; this function fills them in. `reused: 'ref'` writes the options common to all faults once, under `$defs`.
 */
export function configurationSchema() {
  const { properties = {}, ...whole } = z.toJSONSchema(Configuration, form)
  const { $defs, $schema: _, ...items } = z.toJSONSchema(faultSchema(), { ...form, reused: 'ref' })
  const { faults } = properties
  const described = typeof faults === 'object' ? { ...faults, items } : { type: 'array', items }
  return { ...whole, properties: { ...properties, faults: described, ...schemaReference }, $defs }
}
