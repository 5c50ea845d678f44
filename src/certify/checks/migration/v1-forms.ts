/**
 * Forms of V1 that V2 has changed: each is looked for in the traffic with a service that speaks V1, and is left to do
 * where it comes up.
 */
import type { Check, Look } from '../../judge/check.ts'
import type { Defect } from '../../judge/defect.ts'

/** Our own V1 counterpart has the form: the change that ends it. Where it has not: the one that brings it. */
type V1Proof = { readonly migrated: Defect } | { readonly defect: Defect }

/** A form, in terms of what V2 has in its place. */
export type V1Form = Pick<Check, 'clauses' | 'roles' | 'procedures' | 'remedy'> &
  V1Proof & {
    /** Reports every use of the form of V1, and of that of V2 as well. */
    readonly look: Look
  }

/** A form that is still in use is no violation in V1: it is advised to change it. */
export const checkOfForm = (form: V1Form): Check => ({
  clauses: form.clauses,
  roles: form.roles,
  procedures: form.procedures,
  look: form.look,
  remedy: form.remedy,
  level: 'SHOULD',
  defect:
    'defect' in form
      ? form.defect
      : { unproven: `our own V1 counterpart fails it, and passes when it ${form.migrated.about}` },
})
