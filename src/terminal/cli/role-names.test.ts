/** Short names of roles: understood wherever the command line takes a role, and in the configuration. */
import { expect, test } from 'vitest'
import { runInProcess } from '../../../test/support/run-in-process.ts'
import { Configuration } from '../../core/session-api/configuration/schema.ts'
import { roles } from '../../core/protocol/role.ts'
import { parseChoice } from '../../sparring/verbs/support/flag-value.ts'
import { parseHostRole } from '../../replay/cli/formats/import-options.ts'
import { parsePartners } from '../../replay/cli/record/partners.ts'
import type { ArgumentRow, FlagRow, Verb } from './verb.ts'
import { verbs } from '../../sparring/verbs/catalogue.ts'

const shortNames = {
  oa: 'ordering-application',
  SS: 'software-service',
  pos: 'software-service',
  dp: 'delivery-platform',
  crm: 'crm',
} as const

const rowsOf = (verb: Verb): readonly (ArgumentRow | FlagRow)[] => [
  ...verb.arguments,
  ...verb.flags,
  ...verb.verbs.flatMap(rowsOf),
]

test('every argument and flag that takes any role takes its short names too', () => {
  const taking = verbs
    .flatMap(rowsOf)
    .filter(({ choices }) => roles.every((role) => choices?.includes(role)))
  expect(taking.length).toBeGreaterThan(5)
  for (const row of taking)
    for (const [text, role] of Object.entries(shortNames))
      expect(parseChoice(row, text)).toEqual({ ok: true, value: role })
})

test('a role in front of a URL, behind one and in the configuration may be short', () => {
  expect(parsePartners(['dp=http://127.0.0.1:1'], 'software-service')).toEqual([
    { role: 'delivery-platform', url: 'http://127.0.0.1:1' },
  ])
  expect(parseHostRole('https://partner.example=oa').role).toBe('ordering-application')
  expect(Configuration.parse({ subject: { role: 'pos' } }).subject.role).toBe('software-service')
})

test('an unknown role is refused with all names', async () => {
  const { code, stderr } = await runInProcess(['up', '--as', 'posx'])
  expect(code).toBe(2)
  expect(stderr).toBe(
    "sparring: option '--as <role>' argument 'posx' is invalid. It is one of ordering-application (oa), software-service (ss, pos), delivery-platform (dp), crm. Did you mean pos?\n",
  )
  const argument = await runInProcess(['up', 'dpp'])
  expect(argument.stderr).toContain('Did you mean dp?')
  expect(() => parsePartners(['pso=http://127.0.0.1:1'], 'crm')).toThrow(
    'reading --to: "pso" is no role. Name one of ordering-application (oa), ',
  )
})
