/** Consistency of the dialects: valid settings, paths of known operations, unique names. */
import { describe, expect, test } from 'vitest'
import { operations, operationsHostedInDialect } from '../catalogue.ts'
import { Conduct } from '../conduct.ts'
import { roles } from '../role.ts'
import { dialect, dialects } from './catalogue.ts'
import { pathOverrideOf, pathsInDialect, pathPrefixOf } from './paths.ts'
import { basePathOf } from './settings.ts'

describe.each(dialects)('$name', ({ name, summary, conduct, beyond }) => {
  test('has valid settings, a one-line summary, and texts for what it does not reproduce', () => {
    expect(Conduct.safeParse(conduct).error).toBeUndefined()
    expect(summary).toMatch(/^.{10,100}$/)
    for (const sentence of beyond) expect(sentence.length).toBeGreaterThan(10)
    expect(dialect(name).name).toBe(name)
  })

  test('names no path as not reproduced that it serves', () => {
    const parsed = Conduct.parse(conduct)
    const served = roles.flatMap((role) =>
      operationsHostedInDialect(role, parsed).flatMap((row) => pathsInDialect(row, role, parsed)),
    )
    const plain = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}')
    const named = beyond.flatMap((text) => text.match(/\/[\w.{}/:-]+/g) ?? []).map(plain)
    expect(named.filter((path) => served.map(plain).includes(path))).toEqual([])
  })

  test('differs from the defaults and from every other dialect', () => {
    const settingsOf = (each: (typeof dialects)[number]): string => {
      const { name: _name, summary: _summary, beyond: _beyond, ...rest } = each
      return JSON.stringify(rest)
    }
    const others = dialects.filter((each) => each.name !== name).map(settingsOf)
    const own = dialects.find((each) => each.name === name)
    expect(others).not.toContain(settingsOf(own!))
    const hasOwnConduct =
      JSON.stringify(Conduct.parse(conduct)) !== JSON.stringify(Conduct.parse({}))
    expect(hasOwnConduct || own?.channel !== undefined || own?.pollEvery !== undefined).toBe(true)
  })

  test('overrides paths of known operations only', () => {
    const { paths = {} } = conduct
    for (const [id, path] of Object.entries(paths)) {
      const row = operations.find((each) => each.id === id)
      expect(row && pathsInDialect(row, row.hosts[0]!, Conduct.parse(conduct))).toEqual([path])
    }
  })
})

describe('paths of operations', () => {
  const row = (id: string) => operations.find((each) => each.id === id)!
  const parsed = Conduct.parse({ basePath: '/api/v9', paths: { pollingEvents: '/feed' } })

  test('[TRN-CON-05] the base path prefixes the paths of capabilities only, not discovery, authentication or webhooks', () => {
    expect(pathsInDialect(row('getOrder'), 'ordering-application', parsed)).toEqual([
      '/api/v9/orders/{orderId}',
    ])
    expect(pathPrefixOf(row('issueToken'), parsed)).toBe('')
    expect(pathPrefixOf(row('getManifest'), parsed)).toBe('')
    expect(pathPrefixOf(row('receiveOrderEvent'), parsed)).toBe('')
    expect(pathOverrideOf(row('pollingEvents'), parsed)).toBe('/feed')
    expect(
      pathOverrideOf(row('receiveOrderEvent'), { ...parsed, paths: { receiveOrderEvent: '/x' } }),
    ).toBe(undefined)
  })

  test('V1 is served under /v1 unless basePath is set', () => {
    expect(basePathOf(Conduct.parse({ speaks: 'v1' }))).toBe('/v1')
    expect(basePathOf(Conduct.parse({ speaks: 'v1', basePath: '/x/v1' }))).toBe('/x/v1')
    expect(basePathOf(Conduct.parse({}))).toBe('')
    for (const wrong of ['v1', '/v1/', '/a b', '//'])
      expect(Conduct.safeParse({ basePath: wrong }).success).toBe(false)
  })
})
