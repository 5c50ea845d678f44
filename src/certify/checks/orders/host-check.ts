/** Checks of an Ordering Application: rows of a check without what they have in common. */
import { type Check, defineChecks } from '../../judge/check.ts'

export type HostCheck = Omit<Check, 'roles' | 'needs'>

export const defineHostChecks = (rows: readonly HostCheck[]): readonly Check[] =>
  defineChecks(
    rows.map((row) => ({ ...row, roles: ['ordering-application'], needs: ['orders'] as const })),
  )
