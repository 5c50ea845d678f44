/** Coverage of the register: which clauses have a check for each role that they bind, and which have not, and why. */
import { expect, test } from 'vitest'
import { type Clause, loadClauses } from '../protocol/clause.ts'
import { type Role, roles } from '../protocol/role.ts'
import { checks, uncheckedClauses } from './catalogue.ts'

const clauses = await loadClauses()
const checkable = [...clauses.values()].filter(({ isCheckable }) => isCheckable !== false)

/** The roles that a clause binds; every role serves and calls operations. */
const boundRoles = ({ binds }: Clause): readonly Role[] =>
  binds.some((each) => each === 'any-host' || each === 'any-client')
    ? roles
    : roles.filter((role) => binds.includes(role))

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
  const unproven = checks.filter(({ defect }) => 'unproven' in defect)
  process.stdout.write(
    `${whole.length} of ${checkable.length} clauses, ${pairs.filter(({ clause, role }) => isChecked(clause, role)).length} of ${pairs.length} pairs of clause and role; ${checks.length} checks, ${unproven.length} unproven\n`,
  )
  expect(whole.length / checkable.length).toBeGreaterThanOrEqual(0.9)
  expect(unproven.length / checks.length).toBeLessThanOrEqual(0.05)
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
