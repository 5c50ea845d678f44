/** One schema of all notations of a fault: for editors, as JSON Schema, and for listing the options. */
import { z } from 'zod'
import { faultCatalogue } from './catalogue.ts'
import type { FaultDefinition } from './fault.ts'
import { faultProfiles } from './profiles.ts'
import { faultOptionsSchema } from './spec.ts'

/** `{ drop: { event: CONFIRMED } }` for one fault. */
const asObject = (definition: FaultDefinition): z.ZodType =>
  z
    .strictObject({
      [definition.name]: faultOptionsSchema(definition).describe(definition.summary),
    })
    .describe(definition.summary)

/** `drop:event=CONFIRMED,nth=1`, or the name alone. */
const asText = (): z.ZodType => {
  const names = faultCatalogue.map(({ name }) => name).join('|')
  return z
    .string()
    .regex(new RegExp(`^(?:${names})(?::.*)?$`))
    .describe('a fault as one line: drop:event=CONFIRMED|READY_FOR_PICKUP,nth=1')
}

const asProfile = (): z.ZodType => {
  const [first = '', ...rest] = Object.keys(faultProfiles)
  return z.enum([first, ...rest]).describe('all faults of a profile')
}

/**
 * The schema of a fault in configuration, scenarios and the control API; in the input direction, as JSON Schema, for
 * editors.
 */
export const faultSchema = (): z.ZodType => {
  const objects = faultCatalogue.map(asObject)
  return z.union([asProfile(), asText(), ...objects])
}
