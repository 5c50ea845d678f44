/** Capabilities of a session with Orders alone. */
import type { ConfigurationInput } from '../../src/core/session-api/configuration/schema.ts'

export const ordersOnly = {
  indoor: false,
  logistics: false,
  customer: false,
} satisfies ConfigurationInput['capabilities']
