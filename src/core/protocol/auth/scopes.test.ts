/** Scopes: domain scopes, finer scopes, strictness and granting. */
import { describe, expect, test } from 'vitest'
import {
  scopesAllow,
  allScopeNames,
  type ScopeRequirement,
  domainScopes,
  type FineScope,
  fineScopes,
  grantScopes,
  scopeName,
} from './scopes.ts'

const may = (scope: string, demand: ScopeRequirement): boolean =>
  scopesAllow(new Set([scope]), demand, 'proto')

describe('domain scopes', () => {
  test('[AUT-SCO-01] each of the five domain scopes can be granted and permits its own domain only; proto.all permits every domain', () => {
    expect(domainScopes.map((scope) => scopeName('proto', scope))).toEqual([
      'proto.orders',
      'proto.menu',
      'proto.logistics',
      'proto.crm',
      'proto.all',
    ])
    for (const scope of domainScopes.filter((each) => each !== 'all')) {
      for (const other of domainScopes)
        expect(may(`proto.${other}`, { scope })).toBe(other === scope || other === 'all')
      expect(grantScopes(`proto.${scope}`, allScopeNames('proto'))).toEqual([`proto.${scope}`])
    }
  })

  test('the prefix is a setting, and scopes with another prefix do not match', () => {
    expect(scopesAllow(new Set(['od.orders']), { scope: 'orders' }, 'od')).toBe(true)
    expect(scopesAllow(new Set(['proto.orders']), { scope: 'orders' }, 'od')).toBe(false)
  })

  test('a token without scopes permits nothing', () => {
    expect(scopesAllow(new Set(), { scope: 'orders' }, 'proto')).toBe(false)
  })
})

/** Requirements of the documents: the operation's domain scope or the finer scope. */
const logistics = (fine: FineScope): ScopeRequirement => ({ scope: 'logistics', fine })
const crm = (fine: FineScope): ScopeRequirement => ({ scope: 'crm', fine })

describe('finer scopes', () => {
  test.each([
    ['AUT-SCO-02', 'logistics.read'],
    ['AUT-SCO-03', 'logistics.write'],
    ['AUT-SCO-04', 'logistics.events.write'],
  ] as const)(
    '[%s, AUT-TEN-03] %s permits only the Logistics operations that require it',
    (_clause, fine) => {
      const all: readonly FineScope[] = [
        'logistics.read',
        'logistics.write',
        'logistics.events.write',
      ]
      for (const other of all) expect(may(fine, logistics(other))).toBe(other === fine)
      expect(may(fine, { scope: 'logistics' })).toBe(false)
      expect(may(fine, { scope: 'orders' })).toBe(false)
    },
  )

  test('[AUT-TEN-03] Logistics accepts the domain scope, proto.all or the finer scope; strict accepts the finer scope only', () => {
    const demand = logistics('logistics.write')
    for (const scope of ['proto.logistics', 'proto.all', 'logistics.write']) {
      expect(may(scope, demand)).toBe(true)
      expect(may(scope, { ...demand, strict: true })).toBe(scope === 'logistics.write')
    }
    expect(may('proto.crm', demand)).toBe(false)
  })

  test('[AUT-CUS-01, AUT-TEN-01] Customer accepts proto.crm, proto.all or the finer scope; strict accepts the finer scope only', () => {
    for (const fine of ['customer.write', 'review.write'] as const)
      for (const scope of ['proto.crm', 'proto.all', fine]) {
        expect(may(scope, crm(fine))).toBe(true)
        expect(may(scope, { ...crm(fine), strict: true })).toBe(scope === fine)
      }
  })

  test('[AUT-CUS-02] each of the seven finer scopes of Customer can be granted and permits only its own endpoint', () => {
    const seven: readonly FineScope[] = [
      'customer.write',
      'customer.read',
      'orders.crm.write',
      'orders.crm.read',
      'customer.events.write',
      'lead.write',
      'review.write',
    ]
    expect(Object.keys(fineScopes).filter((name) => !name.startsWith('logistics'))).toEqual(seven)
    for (const own of seven) {
      for (const other of seven) expect(may(own, crm(other))).toBe(own === other)
      expect(grantScopes(own, allScopeNames('proto'))).toEqual([own])
    }
  })

  test('strict has no effect where there is no finer scope', () => {
    expect(may('proto.orders', { scope: 'orders', strict: true })).toBe(true)
  })
})

describe('granting', () => {
  const allowed = ['proto.orders', 'proto.menu']

  test.each([
    ['proto.orders proto.menu', ['proto.orders', 'proto.menu']],
    ['  proto.menu \t proto.orders ', ['proto.menu', 'proto.orders']],
    ['proto.orders proto.crm', ['proto.orders']],
    ['proto.crm', []],
    ['', allowed],
    [undefined, allowed],
  ])(
    '[AUT-TOK-02] requesting %j grants the requested scopes that are allowed',
    (asked, expected) => {
      expect(grantScopes(asked, allowed)).toEqual(expected)
    },
  )
})
