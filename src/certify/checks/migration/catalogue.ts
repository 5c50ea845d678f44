/** Certification of a service that speaks V1: what of V1 it still uses, as the list of what is left to do for V2. */
import type { Check } from '../../judge/check.ts'
import { v1AuthenticationForms } from './v1-authentication.ts'
import { v1CallForms } from './v1-calls.ts'
import { v1OrderForms } from './v1-orders.ts'

/**
 * Forms of V1 that V2 has changed, in terms of what V2 has in their place. One that is still in use is no violation in V1:
 * it is advised to change it.
 */
export const v1Checks: readonly Check[] = [
  ...v1AuthenticationForms,
  ...v1OrderForms,
  ...v1CallForms,
].map((form) => ({ ...form, level: 'SHOULD' }))
