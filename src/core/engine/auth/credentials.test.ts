/** Credential models: which a role accepts, and which it declares. */
import { describe, expect, test } from 'vitest'
import { Conduct } from '../../protocol/conduct.ts'
import type { Client, Settings } from '../settings.ts'
import { credentialModelsOf, credentialProblem } from './credentials.ts'

const app: Client = { clientId: 'app', clientSecret: 's', role: 'software-service' }
const store: Client = { ...app, clientId: 'store', merchants: ['loja-1'] }
const chain: Client = { ...app, clientId: 'chain', merchants: ['loja-1', 'loja-2'] }

const settings = (
  clients: readonly Client[],
  clientIdGeneration?: Conduct['clientIdGeneration'],
): Pick<Settings, 'conduct' | 'clients' | 'roles'> => ({
  roles: ['ordering-application', 'delivery-platform'],
  conduct: Conduct.parse(clientIdGeneration ? { clientIdGeneration } : {}),
  clients,
})

describe('the declared credential models', () => {
  test('[AUT-CRE-01, DIS-FLD-12] are those of its clients, unless configured otherwise', () => {
    expect(credentialModelsOf('ordering-application', settings([app, chain]))).toEqual(['by_app'])
    expect(credentialModelsOf('ordering-application', settings([app, store]))).toEqual([
      'by_app',
      'by_merchant',
    ])
    expect(credentialModelsOf('ordering-application', settings([app], ['by_merchant']))).toEqual([
      'by_merchant',
    ])
  })

  test('[AUT-CRE-02] are by_app for Logistics, whatever the configuration', () => {
    const both = settings([app, store], ['by_merchant'])
    expect(credentialModelsOf('delivery-platform', both)).toEqual(['by_app'])
    expect(credentialProblem(store, 'delivery-platform', both)).toContain('per application here')
    expect(credentialProblem(app, 'delivery-platform', both)).toBeUndefined()
  })
})

describe('the accepted credentials', () => {
  test('[AUT-CRE-01] are those of the declared models', () => {
    const byApp = settings([app, store], ['by_app'])
    expect(credentialProblem(app, 'ordering-application', byApp)).toBeUndefined()
    expect(credentialProblem(chain, 'ordering-application', byApp)).toBeUndefined()
    expect(credentialProblem(store, 'ordering-application', byApp)).toContain(
      'store was made for one merchant',
    )
    const byMerchant = settings([app, store], ['by_merchant'])
    expect(credentialProblem(store, 'ordering-application', byMerchant)).toBeUndefined()
    expect(credentialProblem(app, 'ordering-application', byMerchant)).toContain(
      'per merchant here',
    )
  })

  test('[AUT-CRE-01] while no store has its own credentials, those of an application are accepted', () => {
    expect(
      credentialProblem(app, 'ordering-application', settings([app], ['by_merchant'])),
    ).toBeUndefined()
    const elsewhere = { ...store, role: 'crm' } as const
    const byMerchant = settings([app, elsewhere], ['by_merchant'])
    expect(credentialProblem(app, 'ordering-application', byMerchant)).toBeUndefined()
  })

  test('credentials of our own counterparts are accepted in any case', () => {
    const own: Client = { ...app, role: 'delivery-platform' }
    const other: Client = { ...store, role: 'delivery-platform' }
    const byMerchant = settings([own, other], ['by_merchant'])
    expect(credentialProblem(own, 'ordering-application', byMerchant)).toBeUndefined()
  })
})
