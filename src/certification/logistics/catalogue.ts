/** Certification of Logistics: its checks and procedures. */
import type { Check } from '../check.ts'
import type { Procedure } from '../procedure.ts'

export const logisticsChecks: readonly Check[] = []

/** In the order in which they are carried out. */
export const logisticsProcedures: readonly Procedure[] = []
