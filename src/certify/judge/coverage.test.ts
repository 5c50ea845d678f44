/**
 * Coverage of the register: each clause that binds a role has a check for it, a reason why it has none, or a question
 * to a person.
 */
import { expect, test } from 'vitest'
import { unproven } from '../../../test/support/certification/mistakes.ts'
import { type Clause, loadClauses } from '../../core/protocol/clause.ts'
import { type Role, roles } from '../../core/protocol/role.ts'
import { attestedClauses, uncheckedClauses } from './attestations.ts'
import { checks } from '../../core/rules/checks/catalogue.ts'

const clauses = await loadClauses()
const checkable = [...clauses.values()].filter(({ isCheckable }) => isCheckable !== false)

/** The roles that a clause binds; every role serves and calls operations. */
const boundRoles = ({ binds }: Clause): readonly Role[] =>
  binds.some((each) => each === 'any-host' || each === 'any-client')
    ? roles
    : roles.filter((role) => binds.includes(role))

/** What no traffic shows, and binds a service nevertheless: not what the documents leave open or out. */
const isAttested = ({ isCheckable, kind, binds }: Clause): boolean =>
  isCheckable === false && kind !== 'undefined' && kind !== 'out-of-scope' && binds.length > 0

const isChecked = (clause: string, role: Role): boolean =>
  checks.some((check) => check.clauses.includes(clause) && check.roles.includes(role))

const uncheckedReason = (clause: string, role: Role): string | undefined =>
  uncheckedClauses.find((each) => each.clause === clause && each.roles.includes(role))?.why

const pairs = checkable.flatMap((clause) =>
  boundRoles(clause).map((role) => ({ clause: clause.id, role })),
)

test('nine of ten clauses that can be checked have a check for each role that they bind', () => {
  const whole = checkable.filter((clause) =>
    boundRoles(clause).every((role) => isChecked(clause.id, role)),
  )
  const without = Object.keys(unproven)
  process.stdout.write(
    `${whole.length} of ${checkable.length} clauses, ${pairs.filter(({ clause, role }) => isChecked(clause, role)).length} of ${pairs.length} pairs of clause and role; ${checks.length} checks, ${without.length} unproven\n`,
  )
  expect(whole.length / checkable.length).toBeGreaterThanOrEqual(0.9)
  expect(without.length / checks.length).toBeLessThanOrEqual(0.05)
})

test('every clause without a check is listed with its reason, and no other is', () => {
  const missing = pairs
    .filter(({ clause, role }) => !isChecked(clause, role))
    .filter(({ clause, role }) => uncheckedReason(clause, role) === undefined)
  expect(missing).toEqual([])
  const needless = uncheckedClauses.filter(({ clause, roles: all }) =>
    all.some((role) => isChecked(clause, role)),
  )
  expect(needless).toEqual([])
})

test('every clause that no traffic can show and that binds a service is a question to each role that it binds', () => {
  const due = [...clauses.values()]
    .filter(isAttested)
    .map((clause) => [clause.id, [...boundRoles(clause)].toSorted()])
  const asked = attestedClauses.map(({ clause, roles: all }) => [clause, [...all].toSorted()])
  const byClause = (list: typeof asked) =>
    list.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))
  expect(byClause(asked)).toEqual(byClause(due))
  expect(attestedClauses.filter(({ question }) => !question.endsWith('?'))).toEqual([])
  expect(
    asked.filter(([id]) => checks.some((check) => check.clauses.includes(String(id)))),
  ).toEqual([])
})

test('each pair of a binding clause and a role is in every report: checked, unchecked with its reason, or asked', () => {
  const isListed = (id: string, role: Role): boolean =>
    [
      ...checks.map(({ clauses: all, roles: of }) => ({ all, of })),
      ...[...uncheckedClauses, ...attestedClauses].map(({ clause, roles: of }) => ({
        all: [clause],
        of,
      })),
    ].some(({ all, of }) => all.includes(id) && of.includes(role))
  const binding = [...clauses.values()].filter(
    (clause) => clause.isCheckable !== false || isAttested(clause),
  )
  const missing = binding.flatMap((clause) =>
    boundRoles(clause).flatMap((role) =>
      isListed(clause.id, role) ? [] : [`${clause.id} ${role}`],
    ),
  )
  expect(missing).toEqual([])
})

test('a check names clauses of the register, and roles that they bind', () => {
  const foreign = checks.flatMap(({ clauses: named, roles: all }) =>
    named.flatMap((id) => {
      const clause = clauses.get(id)
      return clause && all.every((role) => boundRoles(clause).includes(role)) ? [] : [id]
    }),
  )
  expect(foreign).toEqual([])
})

test('a clause and a role identify a check', () => {
  const keys = checks.flatMap(({ clauses: [first], roles: all }) =>
    all.map((role) => `${first} ${role}`),
  )
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
})
