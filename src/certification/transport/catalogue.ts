/** Certification of discovery, transport, authentication, limits and migration: its checks and procedures. */
import type { Check } from '../check.ts'
import type { Procedure } from '../procedure.ts'

export const transportChecks: readonly Check[] = []

/** In the order in which they are carried out. */
export const transportProcedures: readonly Procedure[] = []
