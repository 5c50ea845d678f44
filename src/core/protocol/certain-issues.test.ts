/** Issues of values of which parts are not known. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { certainIssues } from './certain-issues.ts'

const Person = z.strictObject({
  name: z.string().regex(/^[A-Z]/),
  document: z.union([
    z.object({ cpf: z.string().length(11) }),
    z.object({ cnpj: z.string().length(14), country: z.string() }),
  ]),
})

function pathsOf(value: unknown, unknown: readonly string[], hasNames = false): readonly string[] {
  const { error } = Person.safeParse(value)
  const isUnknown = (path: readonly PropertyKey[]): boolean =>
    unknown.includes(path.map(String).join('.'))
  return certainIssues(error?.issues ?? [], { isUnknown, hasNames }).map(({ path, code }) =>
    [...path, code].map(String).join('.'),
  )
}

test('the form of an unknown value is no issue, and its type is one', () => {
  const document = { cpf: '12345678901' }
  expect(pathsOf({ name: '~x', document }, [])).toEqual(['name.invalid_format'])
  expect(pathsOf({ name: '~x', document }, ['name'])).toEqual([])
  expect(pathsOf({ name: 5, document }, ['name'])).toEqual(['name.invalid_type'])
})

test('alternatives fail where each fails whatever the unknown value is', () => {
  const unknown = ['document.cpf', 'document.cnpj']
  expect(pathsOf({ name: 'A', document: { cpf: '1' } }, unknown)).toEqual([])
  expect(pathsOf({ name: 'A', document: { cnpj: '1' } }, unknown)).toEqual([
    'document.invalid_union',
  ])
})

test('names that are not known are no issue', () => {
  const value = { name: 'A', document: { cpf: '12345678901' }, more: 1 }
  expect(pathsOf(value, [], true)).toEqual([])
  expect(pathsOf(value, [])).toEqual(['unrecognized_keys'])
})
