/** Clauses of Logistics that bind a role whose traffic does not show them. */
import type { UncheckedClause } from '../../judge/check.ts'

export const logisticsUnchecked: readonly UncheckedClause[] = []
