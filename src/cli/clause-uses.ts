/** Index of protocol clauses: which operations, events, transitions, invariants and scenarios cite each of them. */
import { invariants } from '../invariants/catalogue.ts'
import { operations } from '../protocol/catalogue.ts'
import { customerLifecycle } from '../protocol/customer/lifecycle.ts'
import { fiscalLifecycle } from '../protocol/indoor/fiscal.ts'
import { diningAccountLifecycle } from '../protocol/indoor/lifecycle.ts'
import { deliveryLifecycle } from '../protocol/logistics/lifecycle.ts'
import { loyaltyAccountLifecycle } from '../protocol/loyalty/account-lifecycle.ts'
import { orderLifecycle } from '../protocol/orders/lifecycle.ts'
import { eventRows } from './event-rows.ts'

export interface ClauseUse {
  readonly clause: string
  readonly namedBy: readonly string[]
}

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

export function clauseUses(scenarios: readonly NamedClauses[]): readonly ClauseUse[] {
  const uses = new Map<string, Set<string>>()
  const name = (clauses: readonly string[], by: string): void => {
    for (const clause of clauses) {
      const before = uses.get(clause)
      if (before) before.add(by)
      else uses.set(clause, new Set([by]))
    }
  }
  for (const { id, clauses } of operations) name(clauses, id)
  for (const { type, clauses } of eventRows()) name(clauses, type)
  for (const { clause, of, trigger } of transitions) name([clause], `${of}: ${trigger}`)
  for (const { id, clauses } of invariants) name(clauses, id)
  for (const scenario of scenarios) name(scenario.clauses, scenario.name)
  return [...uses]
    .map(([clause, namedBy]) => ({ clause, namedBy: [...namedBy] }))
    .toSorted((one, other) => (one.clause < other.clause ? -1 : 1))
}
