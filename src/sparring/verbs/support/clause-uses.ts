/** Index of protocol clauses: which rules, operations, events, transitions and scenarios name each of them. */
import { invariants } from '../../../core/rules/invariants/catalogue.ts'
import { operations } from '../../../core/protocol/catalogue.ts'
import { customerLifecycle } from '../../../core/protocol/customer/lifecycle.ts'
import { fiscalLifecycle } from '../../../core/protocol/indoor/fiscal.ts'
import { diningAccountLifecycle } from '../../../core/protocol/indoor/lifecycle.ts'
import { deliveryLifecycle } from '../../../core/protocol/logistics/lifecycle.ts'
import { loyaltyAccountLifecycle } from '../../../core/protocol/loyalty/account-lifecycle.ts'
import { orderLifecycle } from '../../../core/protocol/orders/lifecycle.ts'
import { eventRows } from './event-rows.ts'

/** What names a clause, by kind. */
export type ClauseUses = ReturnType<typeof noUses>

/** Kinds in the order in which they are printed. */
export const noUses = (): Record<UseKind, string[]> => ({
  rules: [],
  operations: [],
  events: [],
  transitions: [],
  scenarios: [],
})

type UseKind = 'rules' | 'operations' | 'events' | 'transitions' | 'scenarios'

interface NamedClauses {
  readonly name: string
  readonly clauses: readonly string[]
}

const transitions = [
  ...orderLifecycle.map((row) => ({ ...row, of: 'order' })),
  ...diningAccountLifecycle.map((row) => ({ ...row, of: 'account' })),
  ...fiscalLifecycle.map((row) => ({ ...row, of: 'fiscal document' })),
  ...deliveryLifecycle.map((row) => ({ ...row, of: 'delivery' })),
  ...customerLifecycle.map((row) => ({ ...row, of: 'customer' })),
  ...loyaltyAccountLifecycle.map((row) => ({ ...row, of: 'loyalty account' })),
]

/** The names by clause; a clause that nothing names is absent. */
export function clauseUses(scenarios: readonly NamedClauses[]): ReadonlyMap<string, ClauseUses> {
  const uses = new Map<string, ClauseUses>()
  const add = (kind: UseKind, clauses: readonly string[], name: string): void => {
    for (const clause of clauses) {
      const entry = uses.get(clause) ?? noUses()
      if (!entry[kind].includes(name)) entry[kind].push(name)
      uses.set(clause, entry)
    }
  }
  for (const { id, clauses } of invariants) add('rules', clauses, id)
  for (const { id, clauses } of operations) add('operations', clauses, id)
  for (const { type, clauses } of eventRows()) add('events', clauses, type)
  for (const { clause, of, trigger } of transitions)
    add('transitions', [clause], `${of}: ${trigger}`)
  for (const { name, clauses } of scenarios) add('scenarios', clauses, name)
  return uses
}
