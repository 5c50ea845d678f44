/** A session without anything but Orders, for tests that speak of Orders alone. */
import type { ConfigurationInput } from '../../src/configuration/schema.ts'

export const ordersOnly = {
  indoor: false,
  logistics: false,
  customer: false,
} satisfies ConfigurationInput['capabilities']
