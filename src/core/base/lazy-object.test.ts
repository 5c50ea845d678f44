import { expect, test } from 'vitest'
import { z } from 'zod'
import { looseObject, plainObject, strictObject } from './lazy-object.ts'

test('the fields of an object are created at its first use, and once', () => {
  let made = 0
  const schema = looseObject(() => {
    made++
    return { name: z.string() }
  }).refine(({ name }) => name !== '')
  const holder = z.object({ child: schema.optional() })
  expect(made).toBe(0)
  expect(holder.parse({ child: { name: 'a' } })).toEqual({ child: { name: 'a' } })
  expect(schema.safeParse({ name: '' }).success).toBe(false)
  expect(made).toBe(1)
})

test('fields without a name are dropped, kept or refused, as in the objects of zod', () => {
  const input = { name: 'a', other: 1 }
  const fields = () => ({ name: z.string() })
  expect(plainObject(fields).parse(input)).toEqual({ name: 'a' })
  expect(looseObject(fields).parse(input)).toEqual(input)
  expect(strictObject(fields).safeParse(input).error?.issues).toEqual(
    z.strictObject(fields()).safeParse(input).error?.issues,
  )
})

test.each([
  ['plain', plainObject, z.object],
  ['loose', looseObject, z.looseObject],
  ['strict', strictObject, z.strictObject],
] as const)('a %s object has the JSON Schema of that of zod', (_kind, ours, theirs) => {
  const fields = () => ({ name: z.string().describe('a name'), count: z.int().optional() })
  expect(z.toJSONSchema(ours(fields).extend({ more: z.boolean() }))).toEqual(
    z.toJSONSchema(theirs(fields()).extend({ more: z.boolean() })),
  )
})
