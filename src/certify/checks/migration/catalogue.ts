/** Certification of a service that speaks V1: what of V1 it still uses, as the list of what is left to do for V2. */
import type { Check } from '../../judge/check.ts'
import { v1AuthenticationForms } from './v1-authentication.ts'
import { v1CallForms } from './v1-calls.ts'
import { checkOfForm, type V1Form } from './v1-forms.ts'
import { v1OrderForms } from './v1-orders.ts'

export const v1Forms: readonly V1Form[] = [
  ...v1AuthenticationForms,
  ...v1OrderForms,
  ...v1CallForms,
]

export const v1Checks: readonly Check[] = v1Forms.map(checkOfForm)
