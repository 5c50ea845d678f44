/** The shape of a configuration file, as JSON Schema: for editors, with every fault and its options. */
import { z } from 'zod'
import { Configuration } from '../configuration/schema.ts'
import { faultSchema } from '../faults/schema.ts'

const form = { io: 'input', unrepresentable: 'any' } as const

/**
 * A configuration takes any JSON for a fault, since few sessions have one and all of them are a lot to load; what fits is
 * put in here. Every fault takes the same options besides its own: written out each time they would be most of it.
 */
export function configurationSchema() {
  const { properties = {}, ...whole } = z.toJSONSchema(Configuration, form)
  const { $defs, $schema: _, ...items } = z.toJSONSchema(faultSchema(), { ...form, reused: 'ref' })
  const { faults } = properties
  const described = typeof faults === 'object' ? { ...faults, items } : { type: 'array', items }
  return { ...whole, properties: { ...properties, faults: described }, $defs }
}
