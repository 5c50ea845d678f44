/** Certification of Customer, Reviews and Loyalty: its checks and procedures. */
import type { Check } from '../check.ts'
import type { Procedure } from '../procedure.ts'

export const customerChecks: readonly Check[] = []

/** In the order in which they are carried out. */
export const customerProcedures: readonly Procedure[] = []
