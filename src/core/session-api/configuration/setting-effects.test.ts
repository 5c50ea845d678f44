import { expect, test } from 'vitest'
import type { z } from 'zod'
import { Configuration } from './schema.ts'
import { changedSettings, classifiedSettings, withSettings } from './setting-effects.ts'

interface Definition {
  readonly type: string
  readonly innerType?: z.ZodType
  readonly in?: z.ZodType
  readonly shape?: Readonly<Record<string, z.ZodType>>
}

/** Every setting of a schema: what is no group of further settings. */
function settingsOf(schema: z.ZodType, path: readonly string[] = []): readonly string[] {
  const { innerType, in: input, type, shape = {} } = schema._zod.def as unknown as Definition
  const inner = innerType ?? (type === 'pipe' ? input : undefined)
  if (inner) return settingsOf(inner, path)
  return type === 'object'
    ? Object.entries(shape).flatMap(([name, each]) => settingsOf(each, [...path, name]))
    : [path.join('.')]
}

test('every setting of the schema is classified once: it takes effect at once, or with a restart', () => {
  const classified = classifiedSettings().map(({ path }) => path.join('.'))
  const settings = settingsOf(Configuration)
  expect(settings.length).toBeGreaterThan(200)
  expect(classified.toSorted()).toEqual(settings.toSorted())
})

test('what listens, who plays and what is secret needs a restart', () => {
  const live = new Set(
    classifiedSettings().flatMap(({ path, effect }) => (effect === 'now' ? [path.join('.')] : [])),
  )
  const fixed = [
    'port',
    'host',
    'seed',
    'clock',
    'tls',
    'subject.role',
    'subject.credentials.clientSecret',
  ]
  expect(fixed.filter((name) => live.has(name))).toEqual([])
})

test('two configurations differ in the settings that were changed, and the changes make one of the other', () => {
  const before = Configuration.parse({ conduct: { compatibility: 'old' } })
  const after = Configuration.parse({
    port: 7200,
    faults: ['drop'],
    counterparts: { 'ordering-application': { orders: { every: '5s' } } },
  })
  const changes = changedSettings(before, after)
  expect(changes).toEqual([
    { path: ['faults'], effect: 'now', value: ['drop'] },
    { path: ['port'], effect: 'restart', value: 7200 },
    {
      path: ['counterparts', 'ordering-application', 'orders', 'every'],
      effect: 'now',
      value: 5000,
    },
    { path: ['conduct', 'compatibility'], effect: 'now' },
  ])
  expect(withSettings(before, changes)).toEqual(after)
  expect(changedSettings(after, after)).toEqual([])
})
